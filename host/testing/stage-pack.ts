// A copy of a pack in a temporary folder, for tests that change its files. It finds the same dependencies.
import {existsSync} from 'node:fs';
import {cp, mkdtemp, realpath, rm, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, join, resolve} from 'node:path';

export interface StagedPack {
  /** Absolute, without symlinks. */
  readonly folder: string;
  remove(): Promise<void>;
}

const left: ReadonlySet<string> = new Set(['node_modules', '.git', '.lumenflow']);

/** `change` edits the copy. If it rejects, the copy is removed. */
export async function stagePack(pack: string, change: (folder: string) => Promise<void>): Promise<StagedPack> {
  const source = await realpath(resolve(pack));
  const stage = await realpath(await mkdtemp(join(tmpdir(), 'lumenflow-stage-')));
  const remove = (): Promise<void> => rm(stage, {recursive: true, force: true});
  try {
    const folder = join(stage, 'pack');
    await cp(source, folder, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !left.has(basename(path)) || path === source,
    });
    const modules = nodeModulesAbove(source);
    if (modules !== undefined) await symlink(modules, join(stage, 'node_modules'));
    await change(folder);
    return {folder, remove};
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Where the pack's dependencies are installed. */
function nodeModulesAbove(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules)) return modules;
    if (folder === dirname(folder)) return undefined;
  }
}
