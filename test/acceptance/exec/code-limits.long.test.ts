// What ends code in QuickJS that would never end, or would take all memory. The host runs other code afterwards.
import type {Host} from '@lumenflow/host';
import {createExec, type CodeResult, type Exec} from '@lumenflow/host/exec';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
let host: Host;
let exec: Exec;
beforeAll(async () => {
  workspace = makeHostWorkspace();
  host = await workspace.start({warmSandboxes: false});
  exec = createExec(host, {session: opened(await host.openSession({by: 'shop'}))});
});
afterAll(async () => await workspace.remove());

async function run(code: string, more: object = {}): Promise<CodeResult> {
  return await exec.runCode({language: 'javascript', code, ...more});
}

const limits = {memory_bytes: 16 * 1024 * 1024, output_bytes: 1_000};
const bombs: Readonly<Record<string, readonly [code: string, ...ends: readonly string[]]>> = {
  'an infinite loop': ['for (;;);', 'TOOL_TIMEOUT'],
  'a loop in `finally`': ['try { for (;;); } finally { for (;;); }', 'TOOL_TIMEOUT'],
  'a loop of promises': ['for (;;) await null;', 'TOOL_TIMEOUT'],
  'a promise that nothing settles': ['await new Promise(() => {});', 'TOOL_EXECUTION_FAILED'],
  'a regular expression without end': [`/^(a+)+$/.test('a'.repeat(40) + 'b');`, 'TOOL_TIMEOUT'],
  'a built-in function that nothing interrupts': [
    'Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1);',
    'TOOL_TIMEOUT',
  ],
  'more memory than allowed': [
    'const all = []; for (;;) all.push(new Array(1000).fill(all.length));',
    'LIMIT_EXCEEDED',
  ],
  'a large string': [`let text = 'a'; for (;;) text += text;`, 'LIMIT_EXCEEDED', 'TOOL_EXECUTION_FAILED'],
  'a large buffer': ['return new ArrayBuffer(2 ** 30).byteLength;', 'LIMIT_EXCEEDED'],
  'a deep recursion': ['const f = () => f() + 1; return f();', 'TOOL_EXECUTION_FAILED'],
  'a deep structure': [
    `let a = []; for (let i = 0; i < 1e4; i++) a = [a]; return a;`,
    'TOOL_EXECUTION_FAILED',
    'LIMIT_EXCEEDED',
  ],
  'deep code': [`return eval('['.repeat(1e5));`, 'TOOL_EXECUTION_FAILED', 'LIMIT_EXCEEDED'],
  'a large value': [`return 'a'.repeat(2000);`, 'LIMIT_EXCEEDED'],
  'memory of WebAssembly': ['new WebAssembly.Memory({initial: 65536});', 'TOOL_EXECUTION_FAILED'],
};
for (const [title, [code, ...ends]] of Object.entries(bombs)) {
  it(`ends ${title}`, async () => {
    const {error, value} = await run(code, {
      limits: {...limits, ...(ends[0] === 'TOOL_TIMEOUT' && {wall_time_ms: 300})},
    });
    expect(value).toBeNull();
    expect(ends).toContain(error?.code);
    expect(await run('return 1;')).toMatchObject({value: 1});
  });
}

it('cuts what is printed', async () => {
  const {stdout, truncated, error} = await run(`for (let i = 0; i < 1e4; i++) console.log('ä'.repeat(10));`, {
    limits: {output_bytes: 1_000},
  });
  expect(error).toBeUndefined();
  expect(truncated).toBe(true);
  expect(Buffer.byteLength(stdout)).toBe(999);
});

it('bounds the requests that are open at once', async () => {
  const {value} = await run(`
    const all = Array.from({length: 300}, () => gateway.listNamespaces().then(() => 'done', (e) => e.code));
    return [...new Set(await Promise.all(all))].sort();
  `);
  expect(value).toEqual(['LIMIT_EXCEEDED', 'done']);
});

it('bounds the arguments of open requests together', async () => {
  const {value} = await run(`
    const given = {text: 'x'.repeat(4e6)};
    const ask = () => gateway.runTool('no:tool', given).then(({error}) => error.code, ({code}) => code);
    const all = await Promise.all([ask(), ask(), ask()]);
    return [...all, await ask()];
  `);
  expect(value).toEqual(['TOOL_NOT_FOUND', 'TOOL_NOT_FOUND', 'LIMIT_EXCEEDED', 'TOOL_NOT_FOUND']);
});

it.each([
  ['an error', `throw new Error('x'.repeat(9e6));`],
  ['an error outside of the function', `}); throw new Error('x'.repeat(9e6)); (() => {`],
  ['a value that is not an error', `throw 'x'.repeat(9e6);`],
  ['replaced methods', `String.prototype.slice = () => 'x'.repeat(9e6); throw new Error('x'.repeat(9e6));`],
])('cuts the text of %s', async (_, code) => {
  const {error} = await run(code);
  expect(error).toMatchObject({code: 'TOOL_EXECUTION_FAILED', message: expect.stringMatching(/xxx$/u) as string});
  expect(error?.message.length).toBeLessThanOrEqual(4_000);
});

it('ends code that is cancelled', async () => {
  const signal = AbortSignal.timeout(50);
  const {error} = await exec.runCode({language: 'javascript', code: 'for (;;);'}, {signal});
  expect(error?.code).toBe('TOOL_CANCELLED');
});
