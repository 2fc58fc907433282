// Calls of WebAssembly modules that behave: what they get, what they give, how they end.
import {afterAll, beforeAll, expect, test} from 'vitest';
import type {WireMessage} from '@lumenflow/schemas';
import {
  calling,
  createWasmBench,
  echo,
  lumenflow,
  running,
  wasi,
  type WasmBench,
} from '../testing/wasm-bench.fixture.ts';
import {assembleModule, code} from './probe/assemble-module.ts';

let bench: WasmBench;
beforeAll(async () => (bench = await createWasmBench()));
afterAll(() => bench.remove());

test('a module gets its input, and its output is the result', async () => {
  const {output, exitCode, enforcement, peakMemoryBytes} = await bench.runModule(echo, {input: {text: 'ü', list: [1]}});
  expect(output).toEqual({success: true, data: {text: 'ü', list: [1]}});
  expect(exitCode).toBe(0);
  expect(enforcement).toMatchObject({backend: 'wasm', tier: 'standard', degraded: [], start: 'cold'});
  expect(peakMemoryBytes).toBe(200 * 65_536);
});

test('an input of 10 MB arrives whole', async () => {
  const text = 'ü'.repeat(5 * 1024 * 1024);
  expect((await bench.runModule(echo, {input: {text}})).output.data).toEqual({text});
});

test('a module without an output has no data', async () => {
  expect((await bench.runModule(running([]))).output).toEqual({success: true});
});

test('each call has a fresh instance', async () => {
  // It increases the digit and outputs it.
  const counts = {
    ...running(
      [lumenflow('output_write', 2)],
      code.store(0, [...code.load(0), ...code.i32(1), ...code.add]),
      calling(0, 0, 1),
    ),
    data: '0',
  };
  const entry = bench.module(assembleModule(counts));
  expect((await bench.run(entry)).output.data).toBe(1);
  expect((await bench.run(entry)).output.data).toBe(1);
});

test('an error of the module is the error of the call', async () => {
  const {output} = await bench.runModule({
    ...running([lumenflow('fail', 4)], calling(0, 0, 7, 7, 5)),
    data: 'NO_SUCHnever',
  });
  expect(output.error).toEqual({code: 'NO_SUCH', message: 'never'});
});

test('an exit code is a crash unless it is 0', async () => {
  const exit = (exitCode: number) => bench.runModule(running([wasi('proc_exit', 1)], calling(0, exitCode)));
  expect((await exit(0)).output).toEqual({success: true});
  const {output, exitCode} = await exit(3);
  expect(output.error).toMatchObject({code: 'TOOL_CRASHED', details: {exit_code: 3}});
  expect(exitCode).toBe(3);
});

test('what it prints is a log, cut at its limit', async () => {
  const {output, stdout, truncated} = await bench.runModule(
    running([wasi('fd_write', 4)], code.store(64, code.i32(1024)), code.store(68, code.i32(60_000)), [
      ...code.repeat(
        calling(0, 1, 64, 1, 72),
        code.drop,
        code.store(76, [...code.load(76), ...code.i32(1), ...code.add]),
        code.load(76),
        code.i32(1000),
        code.isOther,
      ),
    ]),
    {limits: {output_bytes: 1000}},
  );
  expect(output).toEqual({success: true});
  expect(stdout).toBe('\0'.repeat(1000));
  expect(truncated).toBe(true);
});

test('progress, logs and nested calls come in order, and answers go back', async () => {
  const seen: WireMessage[] = [];
  const {output} = await bench.runModule(
    {
      ...running(
        [
          lumenflow('progress', 2),
          lumenflow('call_tool', 4, true),
          lumenflow('answer_read', 1),
          lumenflow('output_write', 2),
          lumenflow('log', 3),
        ],
        calling(0, 0, 1),
        calling(0, 1, 1),
        [...code.i32(256), ...calling(1, 2, 10, 12, 2), ...calling(2, 256), ...code.call(3)],
        calling(4, 1, 2, 5),
      ),
      data: '12other:tool{}',
    },
    {
      request: {
        onMessage(message, reply) {
          seen.push(message);
          if (message.type === 'request')
            void reply({type: 'response', id: message.id, value: {success: true, data: {q: 42}}});
        },
      },
    },
  );
  expect(output).toEqual({success: true, data: {q: 42}});
  expect(seen).toEqual([
    {type: 'progress', payload: 1},
    {type: 'progress', payload: 2},
    {type: 'request', id: 1, method: 'call_tool', params: {name: 'other:tool', input: {}}},
    {type: 'log', level: 'info', message: 'other'},
  ]);
});

test('a cancel is visible to the module, which may still finish in order', async () => {
  const controller = new AbortController();
  const {output, aborted, signal} = await bench.runModule(
    {
      ...running(
        [lumenflow('progress', 2), lumenflow('is_cancelled', 0, true)],
        calling(0, 0, 1),
        code.repeat(code.call(1), code.isZero),
      ),
      data: '1',
    },
    {request: {signal: controller.signal, onMessage: () => controller.abort()}},
  );
  expect(output.error?.code).toBe('TOOL_CANCELLED');
  expect({aborted, signal}).toEqual({aborted: true, signal: undefined});
});

test('32 calls at once have a result each, its own', async () => {
  const entry = bench.module(assembleModule(echo));
  const inputs = Array.from({length: 32}, (_, index) => index);
  const results = await Promise.all(inputs.map((input) => bench.run(entry, {input, wallMs: 60_000})));
  expect(results.map(({output}) => output.data)).toEqual(inputs);
});

test('a module has no network, and runs on no other backend', async () => {
  const granted = await bench.runModule(echo, {network: 'full'});
  expect(granted.output.error?.code).toBe('SANDBOX_UNAVAILABLE');
  expect(granted.output.error?.message).toContain('a WebAssembly module has no network');
  const script = await bench.call('return 1;');
  expect(script.output.error?.message).toContain('no configured backend runs JavaScript');
});
