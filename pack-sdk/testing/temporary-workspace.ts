// A folder with files for one run of a tool, removed afterwards.
import {mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join, relative, sep} from 'node:path';

export interface TemporaryWorkspace {
  /** Absolute, without symlinks. */
  readonly root: string;
  /** All files by path; links are left out. */
  read(): Promise<ReadonlyMap<string, Buffer>>;
  remove(): Promise<void>;
}

/** Rejects when a path of `files` leads out of the folder. */
export async function makeTemporaryWorkspace(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<TemporaryWorkspace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'lumenflow-tool-')));
  const remove = (): Promise<void> => rm(root, {recursive: true, force: true});
  try {
    await writeAll(root, files);
  } catch (error) {
    await remove();
    throw error;
  }
  return {root, read: () => readAll(root), remove};
}

async function writeAll(root: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    if (!file.startsWith(root + sep)) throw new TypeError(`\`${path}\` is not a path below the workspace`);
    await mkdir(dirname(file), {recursive: true});
    await writeFile(file, content);
  }
}

async function readAll(root: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(root, {recursive: true, withFileTypes: true});
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted();
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(join(root, path))] as const)));
}
