// Keeps what hosts have compiled from the packs of this repository, for workspaces that tests make later in the same run. Compiling a
// hundred tools takes four times longer than the rest of `lumenflow init`. A host compares a build with its hashes before use.
import {cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';

const variable = 'LUMENFLOW_TEST_BUILDS';
const kinds = ['packs', 'manifests'];

/** Vitest calls it once for each run, before the processes of tests start; the function that it returns ends the run. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-test-builds-'));
  process.env[variable] = folder;
  return () => rmSync(folder, {recursive: true, force: true});
}

const cacheOf = (workspace: string): string => join(workspace, '.lumenflow/cache');

/** Copies them into a workspace that has none. */
export function copyBuilds(workspace: string): void {
  const kept = process.env[variable];
  if (kept === undefined) return;
  for (const kind of kinds.filter((name) => existsSync(join(kept, name)))) {
    cpSync(join(kept, kind), join(cacheOf(workspace), kind), {recursive: true});
  }
}

/** Keeps those of a workspace, while no test has changed anything in it. */
export function keepBuilds(workspace: string): void {
  const kept = process.env[variable];
  if (kept === undefined) return;
  for (const kind of kinds) {
    const from = join(cacheOf(workspace), kind);
    mkdirSync(join(kept, kind), {recursive: true});
    const fresh = existsSync(from) ? readdirSync(from).filter((name) => !existsSync(join(kept, kind, name))) : [];
    for (const name of fresh) keepOne(kept, join(from, name), join(kept, kind, name));
  }
}

/** Renames, so that no other process copies a part. */
function keepOne(kept: string, from: string, to: string): void {
  const staging = mkdtempSync(join(kept, 'staging-'));
  // Marks of the processes that use the build.
  const filter = (path: string): boolean => !basename(path).startsWith('used-by.');
  cpSync(from, join(staging, 'entry'), {recursive: true, filter});
  try {
    renameSync(join(staging, 'entry'), to);
  } catch (error) {
    // Another process of the run was first.
    if (!existsSync(to)) throw error;
  } finally {
    rmSync(staging, {recursive: true, force: true});
  }
}
