// What a call of a WebAssembly module costs, against the same sandbox interface around a process.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {compare} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {openSandboxCall} from './open-sandbox-call.ts';
import {oneByOne} from './samplers.ts';

/** A module in hexadecimal. It exports a memory of one page, and `run`, which does nothing. */
const sections: readonly string[] = [
  '0061736d01000000',
  '010401600000',
  '03020100',
  '0503010001',
  '071002066d656d6f727902000372756e0000',
  '0a040102000b',
];
const noop = Buffer.from(sections.join(''), 'hex');

export async function* wasmFigures(effort: Effort): AsyncGenerator<Figure> {
  const module = await openSandboxCall({backend: 'wasm'}, (folder) => {
    const path = join(folder, 'noop.wasm');
    writeFileSync(path, noop);
    return `${path}#run`;
  });
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
