// A component of the WebAssembly component model, as docs/wasm.md describes it: converted to JavaScript, it is a handler like any
// other, in the sandbox for JavaScript.
import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {transpileBytes} from '@bytecodealliance/jco-transpile';
import {componentEmbed, componentNew} from '@bytecodealliance/jco-transpile/wasm-tools';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {findBwrap} from '../bubblewrap/host-system.ts';
import {createBench, type Bench} from '../testing/sandbox-bench.fixture.ts';
import {createWasmBench} from '../testing/wasm-bench.fixture.ts';

const isAbsent = findBwrap('/usr/bin:/bin') === undefined || spawnSync('clang', ['--version']).status !== 0;
const needed = 'apt-get install bubblewrap clang lld';

const witSource = `package example:words;
world words {
  export count: func(text: string) -> u32;
  export spin: func();
  export fill: func(pages: u32) -> bool;
}`;
/** The functions of the world, with strings as the canonical ABI passes them. */
const source = `
typedef __SIZE_TYPE__ size;
extern unsigned char __heap_base;
static size top;
__attribute__((export_name("cabi_realloc"))) void *cabi_realloc(void *old, size old_bytes, size align, size bytes) {
  size at = ((top ? top : (size)&__heap_base) + align - 1) & -align;
  top = at + bytes;
  size room = __builtin_wasm_memory_size(0) * 65536;
  if (top > room) __builtin_wasm_memory_grow(0, (top - room + 65535) / 65536);
  return (void *)at;
}
__attribute__((export_name("count"))) unsigned count(const char *text, size length) {
  unsigned words = 0;
  for (size i = 0; i < length; i++) words += text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
  return words;
}
__attribute__((export_name("spin"))) void spin(void) { for (;;) __asm__ volatile(""); }
__attribute__((export_name("fill"))) int fill(unsigned pages) {
  size first = __builtin_wasm_memory_grow(0, pages);
  if (first == (size)-1) return 0;
  for (size i = 0; i < pages * 65536ul; i += 4096) *(volatile char *)(first * 65536 + i) = 1;
  return 1;
}`;

describe.skipIf(isAbsent)(`a component (${needed})`, () => {
  let bench: Bench;
  let component: Uint8Array;
  beforeAll(async () => {
    bench = await createBench();
    const [path, modulePath] = [join(bench.folder, 'words.c'), join(bench.folder, 'words.wasm')];
    writeFileSync(path, source);
    const options = ['--target=wasm32', '-nostdlib', '-O1', '-Wl,--no-entry', '-o', modulePath, path];
    const compiled = spawnSync('clang', options, {encoding: 'utf8'});
    if (compiled.status !== 0) throw new Error(compiled.stderr);
    component = await componentNew(await componentEmbed({binary: readFileSync(modulePath), witSource}));
    const {files} = await transpileBytes(component, {name: 'words', base64Cutoff: 10_000_000});
    writeFileSync(join(bench.folder, 'bundles', 'words.mjs'), files['words.js'] ?? '');
  });
  afterAll(() => bench.remove());

  const handler = (body: string): string => bench.handler(body, `import {count, fill, spin} from './words.mjs';`);

  test('returns a result, and its handler calls other tools', async () => {
    const entry = handler(
      `const words = count(input.text); return {words, other: await context.callTool('other:tool', {words})};`,
    );
    const asked: unknown[] = [];
    const {output, enforcement} = await bench.run(entry, {
      input: {text: 'ein Wörtchen  oder drei'},
      request: {
        onMessage(message, reply) {
          if (message.type !== 'request') return;
          asked.push(message.params);
          void reply({type: 'response', id: message.id, value: {success: true, data: 'answer'}});
        },
      },
    });
    expect(output).toEqual({success: true, data: {words: 4, other: {success: true, data: 'answer'}}});
    expect(asked).toEqual([expect.objectContaining({name: 'other:tool', input: {words: 4}})]);
    expect(enforcement).toMatchObject({backend: 'bubblewrap'});
  });

  test('ends at the time limit of its call', async () => {
    const {output, timedOut} = await bench.run(handler('spin();'), {wallMs: 1000});
    expect(output.error?.code).toBe('TOOL_TIMEOUT');
    expect(timedOut).toBe(true);
  });

  test('gets no more memory than its call', async () => {
    const entry = handler('return fill(input.pages);');
    const limits = {memory_bytes: 256 * 1024 * 1024};
    expect((await bench.run(entry, {limits, input: {pages: 16}})).output).toEqual({success: true, data: true});
    expect((await bench.run(entry, {limits, input: {pages: 16_384}})).output.error).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: {limit: 'memory_bytes'},
    });
  });

  test('is refused as a module', async () => {
    const wasmBench = await createWasmBench();
    const {output} = await wasmBench.runModule(component);
    expect(output.error?.message).toContain('it is a component');
    await wasmBench.remove();
  });
});
