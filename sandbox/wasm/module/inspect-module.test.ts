// The checks of a module before it is registered, and the work that they leave to other threads.
import {expect, test} from 'vitest';
import {wasiFileImports} from '../thread/wasi-file-imports.ts';
import {wasiImports} from '../thread/wasi-imports.ts';
import {lumenflowImports} from '../thread/lumenflow-imports.ts';
import type {GuestCall} from '../thread/guest-call.ts';
import type {OpenFiles} from '../thread/open-files.ts';
import {assembleModule, code} from '../probe/assemble-module.ts';
import {boundModule, ModuleTooLarge, pageBytes} from './bound-module.ts';
import {hostFunctions} from './host-functions.ts';
import {inspectModule} from './inspect-module.ts';
import {ModuleReader, readSections, sectionIds, type Bounds} from './read-sections.ts';

test('the listed functions are those that modules are given', () => {
  const call = {} as GuestCall;
  const given = {
    lumenflow: lumenflowImports(call),
    wasi_snapshot_preview1: {...wasiImports(call), ...wasiFileImports(call, {} as OpenFiles)},
  };
  for (const [module, functions] of Object.entries(given)) {
    expect([...(hostFunctions.get(module) ?? [])].toSorted()).toEqual(Object.keys(functions).toSorted());
  }
  expect([...hostFunctions.keys()]).toEqual(Object.keys(given));
});

function memoryOf(bytes: Uint8Array): Bounds | undefined {
  const section = readSections(bytes).find(({id}) => id === sectionIds.memory);
  return section && new ModuleReader(bytes, section.start + 1).bounds();
}

test.each([
  [{min: 1}, 10, 10],
  [{min: 1, max: 5}, 10, 5],
  [{min: 1, max: 65_536}, 10, 10],
  [{min: 10}, 10, 10],
])('a memory of %j in %i pages may grow to %i', (memory, pages, max) => {
  const bytes = assembleModule({functions: [{name: 'run', body: []}], memory});
  expect(memoryOf(boundModule(bytes, pages * pageBytes))).toEqual({min: memory.min, max, isUnusual: false});
});

test('a memory and a table that begin too large are refused', () => {
  const run = {functions: [{name: 'run', body: []}]};
  expect(() => boundModule(assembleModule({...run, memory: {min: 11}}), 10 * pageBytes)).toThrow(ModuleTooLarge);
  expect(() => boundModule(assembleModule({...run, table: {min: 30_000}}), 10 * pageBytes)).toThrow(ModuleTooLarge);
});

test.each([
  ['too many locals', 5_000, 1],
  ['many locals in a large body', 4_000, 20_000],
])('a function with %s would fill the memory of the compiler, and is refused', async (_what, locals, blocks) => {
  const nested = Array.from({length: blocks}, () => [0x02, 0x40]).flat();
  const body = [...nested, ...Array.from({length: blocks}, () => 0x0b)];
  const bytes = assembleModule({functions: [{name: 'run', body, locals}]});
  expect(await inspectModule(bytes)).toMatchObject({ok: false, problem: expect.stringContaining('too complex')});
});

test.each([
  ['an array', [0x5e, 0x7e, 1]],
  ['a struct', [0x5f, 1, 0x7f, 1]],
  ['a group of types', [0x4e, 1, 0x60, 0, 0]],
  ['a type with subtypes', [0x50, 0, 0x60, 0, 0]],
])('a type that is %s is refused, because its objects are in the heap of the thread', async (_what, type) => {
  const bytes = assembleModule({functions: [{name: 'run', body: []}]});
  const {head = 0, start = 0, end = 0} = readSections(bytes).find(({id}) => id === sectionIds.type) ?? {};
  const types = [(bytes[start] ?? 0) + 1, ...bytes.slice(start + 1, end), ...type];
  const changed = Uint8Array.from([...bytes.slice(0, head), 1, types.length, ...types, ...bytes.slice(end)]);
  expect(await inspectModule(changed)).toMatchObject({
    ok: false,
    problem: expect.stringContaining('garbage-collected'),
  });
});

test.each([
  ['shared', [3, 1, 1]],
  ['of 64 bits', [4, 1]],
])('a memory that is %s is refused', async (_what, bounds) => {
  const bytes = assembleModule({functions: [{name: 'run', body: []}]});
  const {head = 0, end = 0} = readSections(bytes).find(({id}) => id === sectionIds.memory) ?? {};
  const unusual = Uint8Array.from([...bytes.slice(0, head), 5, bounds.length + 1, 1, ...bounds, ...bytes.slice(end)]);
  expect(await inspectModule(unusual)).toMatchObject({ok: false, problem: expect.stringContaining('not supported')});
});

test('bytes that lie about their sizes are refused, not read for ever', async () => {
  const bytes = assembleModule({
    imports: [{module: 'lumenflow', name: 'progress'}],
    functions: [{name: 'run', body: []}],
  });
  for (let at = 8; at < bytes.length; at += 1) {
    for (const value of [0, 0x7f, 0xff]) {
      const changed = Uint8Array.from(bytes);
      changed[at] = value;
      const inspected = await inspectModule(changed);
      if (!inspected.ok) expect(inspected.problem).not.toBe('');
    }
  }
});

test('a large module is compiled beside the work of the host', async () => {
  // About 40 MB of code that must be validated.
  const body = Array.from({length: 20_000}, () => [...code.i32(1), ...code.drop]).flat();
  const small = assembleModule({
    functions: Array.from({length: 2}, (_, index) => ({name: index === 0 ? 'run' : 'more', body})),
  });
  const large = repeatCode(small, 300);
  expect(large.length).toBeGreaterThan(30_000_000);
  let turns = 0;
  const timer = setInterval(() => (turns += 1));
  const inspected = await inspectModule(large);
  clearInterval(timer);
  expect(inspected.ok ? undefined : inspected.problem).toBeUndefined();
  expect(turns).toBeGreaterThan(0);
});

/** The same module with `times` as many functions, of the same type and code. */
function repeatCode(bytes: Uint8Array, times: number): Uint8Array {
  const leb = (value: number): readonly number[] =>
    value < 128 ? [value] : [(value % 128) | 0x80, ...leb(Math.floor(value / 128))];
  const parts: Uint8Array[] = [bytes.subarray(0, 8)];
  for (const {id, head, start, end} of readSections(bytes)) {
    if (id !== 3 && id !== 10) {
      parts.push(bytes.subarray(head, end));
      continue;
    }
    const count = bytes[start] ?? 0;
    const items = bytes.subarray(start + 1, end);
    const total = leb(count * times);
    // All functions have the first type.
    const content = id === 3 ? new Uint8Array(count * times) : Buffer.concat(Array.from({length: times}, () => items));
    parts.push(Uint8Array.from([id, ...leb(total.length + content.length), ...total]), content);
  }
  return Buffer.concat(parts);
}
