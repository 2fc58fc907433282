// A pack's integrity: one hash over every file that can be loaded, so that a pin fixes exactly these bytes.
import {sha256} from './hash-each.ts';
import type {HashedFile, PackFiles} from './pack-files.ts';

const codeFile = /\.(?:[cm]?[jt]sx?|map|tsbuildinfo)$/u;

/** Code in `dist` counts only if an entry reaches it: code that cannot be loaded can be rebuilt without changing a pin. */
export function isBuiltCode(path: string): boolean {
  return codeFile.test(path) && path.split('/').includes('dist');
}

/** Over all files of a pack's folder, whether they can be loaded or not. */
export function hashFiles({hashes}: PackFiles): string {
  return hashPack([...hashes].map(([path, hash]) => ({path, sha256: hash})));
}

/** `sha256:` and the hash over the sorted `path \0 sha256 \0` of all files. */
export function hashPack(files: Iterable<HashedFile>): string {
  const lines = [...files].map((file) => Buffer.from(`${file.path}\0${file.sha256}\0`));
  return `sha256:${sha256(Buffer.concat(lines.toSorted((a, b) => Buffer.compare(a, b))))}`;
}
