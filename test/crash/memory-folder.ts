// Folders for tries that come by the hundred: in memory where the machine has such a place, so that a sync costs nothing.
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {DiskImage} from './disk-model.ts';

export function makeMemoryFolder(): string {
  return mkdtempSync(join(memoryPlace(), 'lumenflow-crash-'));
}

function memoryPlace(): string {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    // Not Linux, or closed: any folder does, only slower.
    return tmpdir();
  }
}

/** Writes what an image has below `from` to another folder, which is new. */
export function materialize(image: DiskImage, from: string, to: string): void {
  const at = (path: string): string => join(to, path.slice(from.length));
  const isBelow = (path: string): boolean => path.startsWith(`${from}/`);
  for (const path of image.folders.filter(isBelow)) mkdirSync(at(path), {recursive: true, mode: 0o700});
  for (const [path, content] of image.files) writeFileSync(at(path), content, {mode: 0o600});
  for (const [path, target] of image.links) symlinkSync(target, at(path));
}

/** Paths at which an image differs from the folder. */
export function differences(image: DiskImage, root: string): readonly string[] {
  const found = new Map<string, string>();
  for (const entry of readdirSync(root, {withFileTypes: true, recursive: true})) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found.set(path, readFileSync(path, 'latin1'));
    if (entry.isSymbolicLink()) found.set(path, readlinkSync(path));
  }
  const modelled = new Map([
    ...image.links,
    ...[...image.files].map(([path, content]) => [path, content.toString('latin1')] as const),
  ]);
  const paths = new Set([...found.keys(), ...modelled.keys()]);
  return [...paths].filter((path) => found.get(path) !== modelled.get(path));
}
