// Syncs applied changes to disk before the journal ends: after a power cut, either all of them exist or none.
import {dirname, join} from 'node:path';
import {findProgram} from '../commands/find-program.ts';
import {spawnProcess} from '../commands/spawn-process.ts';
import type {Step} from './step.ts';
import {syncPath} from './sync-path.ts';

export interface AppliedSteps {
  readonly root: string;
  readonly folder: string;
  readonly steps: readonly Step[];
}

/** With more paths than this, one sync of the file system is faster. */
const singlyMax = 24;

export async function syncApplied({root, folder, steps}: AppliedSteps): Promise<void> {
  const files = steps.filter(({content}) => content !== undefined).map(({path}) => join(root, path));
  const directories = new Set([...steps.map(({path}) => join(root, dirname(path))), join(folder, 'old')]);
  const paths = [...files, ...directories];
  if (paths.length > singlyMax && (await syncFileSystem(folder))) return;
  await Promise.all(paths.map(syncPath));
}

/** False if the system does not have such a program. */
async function syncFileSystem(folder: string): Promise<boolean> {
  const sync = findProgram('sync');
  if (sync === undefined) return false;
  const child = await spawnProcess({
    command: sync,
    args: ['-f', folder],
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const {exitCode} = await child.ended;
  return exitCode === 0;
}
