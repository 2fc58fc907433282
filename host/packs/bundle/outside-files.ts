// Files outside of a pack that its bundle contains: dependencies installed beside it, and the SDK.
import {readFile} from 'node:fs/promises';
import {dirname, join, relative, sep} from 'node:path';
import {sha256} from '../files/hash-each.ts';
import type {HashedFile} from '../files/pack-files.ts';

export interface OutsideFile extends HashedFile {
  /** Absolute. `path` names it independently of the machine: `node_modules/<package>/<path in it>`. */
  readonly file: string;
}

export interface OutsideFiles {
  /** Reads a file and records its hash. */
  read(file: string): Promise<Uint8Array>;
  readonly all: ReadonlyMap<string, OutsideFile>;
}

export function createOutsideFiles(): OutsideFiles {
  const all = new Map<string, OutsideFile>();
  const packages = new Map<string, Promise<string | undefined>>();
  const packageOf = async (folder: string): Promise<{name: string; folder: string}> => {
    const reading = packages.get(folder) ?? readPackageName(folder);
    packages.set(folder, reading);
    const name = await reading;
    if (name !== undefined) return {name, folder};
    const parent = dirname(folder);
    return parent === folder ? {name: '', folder} : await packageOf(parent);
  };
  return {
    all,
    read: async (file) => {
      const content = await readFile(file);
      const owner = await packageOf(dirname(file));
      const inside = relative(owner.folder, file).split(sep).join('/');
      all.set(file, {file, path: `node_modules/${owner.name}/${inside}`, sha256: sha256(content)});
      return content;
    },
  };
}

async function readPackageName(folder: string): Promise<string | undefined> {
  try {
    const {name} = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {name?: unknown};
    return typeof name === 'string' ? name : undefined;
  } catch {
    // No package.json here, or none that names a package: check the parent folder.
    return undefined;
  }
}
