// Modules that attack their limits, their host, or what they were given.
import {afterAll, beforeAll, expect, test} from 'vitest';
import type {SandboxResult} from '../backends/sandbox-call.ts';
import {calling, createWasmBench, lumenflow, running, wasi, type WasmBench} from '../testing/wasm-bench.fixture.ts';
import {assembleModule, code, type ImportSource, type ModuleSource} from './probe/assemble-module.ts';

let bench: WasmBench;
beforeAll(async () => (bench = await createWasmBench()));
afterAll(async () => {
  // Nothing of the attacks has harmed the backend.
  expect((await bench.runModule(running([]))).output).toEqual({success: true});
  await bench.remove();
});

const memory = {limits: {memory_bytes: 16 * 65_536}};
const growing = code.repeat(code.i32(1), code.memoryGrow, code.i32(-1), code.isOther);

test.each<[string, ModuleSource]>([
  ['a loop', running([], code.forever)],
  [
    'a loop in its start function',
    {
      functions: [
        {name: 'run', body: []},
        {name: 'begin', body: code.forever},
      ],
      start: 1,
    },
  ],
  [
    'a sleep',
    running(
      [wasi('poll_oneoff', 4)],
      code.store(24, code.i32(-1)),
      code.store(28, code.i32(1)),
      code.repeat(calling(0, 0, 128, 1, 200), code.isZero),
    ),
  ],
])('%s ends at the time limit', async (_what, source) => {
  const {output, timedOut, signal} = await bench.runModule(source, {wallMs: 300});
  expect(output.error?.code).toBe('TOOL_TIMEOUT');
  expect({timedOut, signal}).toEqual({timedOut: true, signal: 'SIGKILL'});
});

test('a loop ends at a limit of processor time', async () => {
  const {output} = await bench.runModule(running([], code.forever), {limits: {cpu_time_ms: 100}});
  expect(output.error).toMatchObject({code: 'LIMIT_EXCEEDED', details: {limit: 'cpu_time_ms', bound: 100}});
});

test.each<[string, ModuleSource]>([
  ['without a maximum', {...running([], growing, code.unreachable), memory: {min: 1}}],
  ['with a maximum beyond the limit', {...running([], growing, code.unreachable), memory: {min: 1, max: 65_536}}],
  ['that begins too large', {...running([]), memory: {min: 17}}],
  ['with a table that is too large', {...running([]), table: {min: 1_000_000}}],
])('a memory %s meets the limit', async (_what, source) => {
  const {output, oom, peakMemoryBytes = 0} = await bench.runModule(source, memory);
  expect(output.error).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    details: {
      limit: 'memory_bytes',
      bound: memory.limits.memory_bytes,
      stderr: expect.stringMatching(/memories|unreachable/u),
    },
  });
  expect(oom).toBe(true);
  expect(peakMemoryBytes).toBeLessThanOrEqual(memory.limits.memory_bytes);
});

test('a memory within the limit grows to exactly the limit', async () => {
  const grows = {
    ...running(
      [wasi('proc_exit', 1), lumenflow('fail', 4)],
      growing,
      calling(1, 0, 4, 0, 4),
      code.memorySize,
      code.call(0),
    ),
    data: 'FULL',
  };
  const {output, peakMemoryBytes} = await bench.runModule(grows, memory);
  expect(output.error?.code).toBe('FULL');
  expect(peakMemoryBytes).toBe(memory.limits.memory_bytes);
});

test('an exhausted stack is a crash', async () => {
  const {output} = await bench.runModule(running([], code.call(0)));
  expect(output.error).toMatchObject({code: 'TOOL_CRASHED', message: expect.stringContaining('stack')});
});

test('a trap is a crash that names the function', async () => {
  const {output} = await bench.runModule(running([], code.unreachable));
  expect(output.error?.code).toBe('TOOL_CRASHED');
  expect(output.error?.details?.['stack']).toContain('wasm://');
});

/** `"aaa…"`, of 70 MiB. */
const fill = [
  ...code.i32(0),
  ...code.i32(0x61),
  ...code.i32(70 * 1024 * 1024),
  // memory.fill
  0xfc,
  11,
  0,
  ...code.store(0, code.i32(0x61616122)),
  ...code.store(70 * 1024 * 1024 - 4, code.i32(0x22616161)),
];

test('an output that is too large fails that call only', async () => {
  const large = {
    ...running([lumenflow('output_write', 2)], fill, calling(0, 0, 70 * 1024 * 1024)),
    memory: {min: 1200},
  };
  const {output} = await bench.runModule(large);
  expect(output.error?.code).toBe('LIMIT_EXCEEDED');
});
test.each([
  ['progress', calling(0, 0, 70 * 1024 * 1024)],
  ['call_tool', calling(0, 0, 4, 0, 70 * 1024 * 1024)],
] as const)('a text for `%s` that would take minutes to parse is a crash', async (name, call) => {
  const imported = lumenflow(name, name === 'progress' ? 2 : 4);
  const {output} = await bench.runModule({...running([imported], fill, call), memory: {min: 1200}});
  expect(output.error).toMatchObject({code: 'TOOL_CRASHED', message: expect.stringContaining('73400320 bytes')});
});

test('an output that is not JSON is refused', async () => {
  const {output} = await bench.runModule({...running([lumenflow('output_write', 2)], calling(0, 0, 1)), data: '{}'});
  expect(output.error?.code).toBe('INVALID_OUTPUT');
});

const outside = 65_536;
test.each<[ImportSource, readonly number[]]>([
  [lumenflow('input_read', 1), [outside - 1]],
  [lumenflow('input_read', 1), [-1]],
  [lumenflow('output_write', 2), [outside - 1, 2]],
  [lumenflow('output_write', 2), [0, -1]],
  [lumenflow('output_write', 2), [-1, -1]],
  [lumenflow('fail', 4), [0, 1, outside, 1]],
  [lumenflow('call_tool', 4), [0, 1, outside, 1]],
  [lumenflow('progress', 2), [outside, 1]],
  [lumenflow('log', 3), [1, outside, 1]],
  [lumenflow('log', 3), [4, 0, 1]],
  [wasi('fd_write', 4), [1, outside - 4, 1, 0]],
  [wasi('random_get', 2), [outside - 1, 2]],
  [wasi('environ_sizes_get', 2), [outside - 1, 0]],
  [wasi('poll_oneoff', 4), [outside - 1, 0, 1, 0]],
  [wasi('fd_prestat_dir_name', 3), [3, outside, 1]],
])('%j with %j is a crash, not a host that reads elsewhere', async (imported, given) => {
  const {output} = await bench.runModule(
    running([imported], calling(0, ...given), imported.results?.length ? code.drop : []),
  );
  expect(output.error?.code).toBe('TOOL_CRASHED');
});

test.each([
  ['lumenflow', 'constructor'],
  ['lumenflow', '__proto__'],
  ['constructor', 'constructor'],
  ['__proto__', 'toString'],
  ['wasi_snapshot_preview1', 'hasOwnProperty'],
  ['env', 'system'],
])('the import %s.%s is not given', async (module, name) => {
  const {output} = await bench.runModule(running([{module, name}], code.call(0)));
  expect(output.error).toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
    message: expect.stringContaining(`${module}.${name}`),
  });
});

test.each<[string, ImportSource, readonly number[]]>([
  ['a 64-bit integer', {module: 'lumenflow', name: 'input_read', parameters: ['i64']}, code.i64(0n)],
  ['a reference', {module: 'lumenflow', name: 'input_read', parameters: ['externref']}, [0xd0, 0x6f]],
])('%s in place of a pointer is a crash', async (_what, imported, given) => {
  const {output} = await bench.runModule(running([imported], given, code.call(0)));
  expect(output.error?.code).toBe('TOOL_CRASHED');
});

test('a module that catches its own end is ended all the same', async () => {
  const {output} = await bench.runModule({
    ...running(
      [wasi('proc_exit', 1), lumenflow('output_write', 2)],
      // try … catch_all … end, around each
      [0x06, 0x40, ...calling(0, 3), 0x19, 0x0b],
      [0x06, 0x40, ...calling(1, 0, 1), 0x19, 0x0b],
    ),
    data: '1',
  });
  expect(output.error).toMatchObject({code: 'TOOL_CRASHED', details: {exit_code: 3}});
});

test('a host function called while the module is instantiated is a crash', async () => {
  const source = {
    imports: [lumenflow('input_read', 1)],
    functions: [
      {name: 'run', body: []},
      {name: 'begin', body: calling(0, 0)},
    ],
    start: 2,
  };
  expect((await bench.runModule(source)).output.error?.code).toBe('TOOL_CRASHED');
});

test('endless messages do not fill the memory of the host', async () => {
  const before = process.memoryUsage.rss();
  const flood = {
    ...running([lumenflow('progress', 2)], code.repeat(calling(0, 0, 60_000), code.i32(1))),
    data: `"${'x'.repeat(59_998)}"`,
  };
  let received = 0;
  let most = 0;
  const {output} = await bench.runModule(flood, {
    wallMs: 1500,
    request: {
      onMessage() {
        received += 1;
        most = Math.max(most, process.memoryUsage.rss() - before);
      },
    },
  });
  expect(output.error?.code).toBe('TOOL_TIMEOUT');
  expect(received).toBeGreaterThan(10);
  expect(most).toBeLessThan(512 * 1024 * 1024);
});

test.each<[string, Uint8Array, string]>([
  ['no module at all', new TextEncoder().encode('#!/bin/sh\n'), 'not a WebAssembly file'],
  ['a component', Uint8Array.of(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0), 'component'],
  ['a module that is cut short', assembleModule(running([])).slice(0, -3), 'cut short'],
  ['a module with invalid code', assembleModule(running([], [0x6a])), 'Compiling function'],
])('%s is refused', async (_what, bytes, message) => {
  const {output} = await bench.runModule(bytes);
  expect(output.error).toMatchObject({code: 'TOOL_EXECUTION_FAILED', message: expect.stringContaining(message)});
});

test('closing ends calls that run', async () => {
  const other = await createWasmBench();
  const calls: Promise<SandboxResult>[] = [];
  await new Promise<void>((ready) => {
    const endless = {...running([lumenflow('progress', 2)], calling(0, 0, 1), code.forever), data: '1'};
    calls.push(other.runModule(endless, {request: {onMessage: () => ready()}}));
  });
  await other.remove();
  const [result] = await Promise.all(calls);
  expect(result?.output.error?.code).toBe('TOOL_CANCELLED');
});
