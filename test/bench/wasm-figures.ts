// What a call of a WebAssembly module costs, against the same sandbox interface around a process.
import {compare} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {openSandboxCall} from './open-sandbox-call.ts';
import {oneByOne} from './samplers.ts';
import {writeNoopModule} from './write-noop-module.ts';

export async function* wasmFigures(effort: Effort): AsyncGenerator<Figure> {
  const module = await openSandboxCall({backend: 'wasm'}, writeNoopModule);
  try {
    // Probes the backend, and starts its first thread.
    await module.run();
    yield await compare({
      id: 'sandbox.wasm_call',
      title: 'call of a WebAssembly module in a started thread',
      unit: 'ms',
      runs: effort.runs,
      sample: oneByOne(operations(effort, 200), module.run),
      bar: {of: 'value', limit: 2},
    });
  } finally {
    await module.close();
  }
}
