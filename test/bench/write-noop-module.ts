// The smallest WebAssembly module that a call can run.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';

/** In hexadecimal. It exports a memory of one page, and `run`, which does nothing. */
const sections: readonly string[] = [
  '0061736d01000000',
  '010401600000',
  '03020100',
  '0503010001',
  '071002066d656d6f727902000372756e0000',
  '0a040102000b',
];

/** Returns its entry. */
export function writeNoopModule(folder: string): string {
  const path = join(folder, 'noop.wasm');
  writeFileSync(path, Buffer.from(sections.join(''), 'hex'));
  return `${path}#run`;
}
