// Writes a temporary file and renames it, so that no reader sees an incomplete one.
import {randomBytes} from 'node:crypto';
import {mkdir, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

export async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, {recursive: true});
  const staging = join(folder, `.${name}.${randomBytes(6).toString('hex')}`);
  await writeFile(staging, text, {mode: 0o644});
  await rename(staging, join(folder, name));
}
