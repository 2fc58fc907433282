// The view of a call that a transactional call makes. It starts as its caller's view, and its writes stay in a separate layer
// until they are merged into the caller's.
import {lstatSync} from 'node:fs';
import {join, relative} from 'node:path';
import type {SandboxProfile} from '@lumenflow/schemas';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {ViewWay} from '../backends/transaction-view.ts';
import {isWithin} from '../profile/host-paths.ts';
import type {CallerView} from './caller-view.ts';
import {mountsOnly} from './mounts-only.ts';
import {openCopy} from './open-copy.ts';
import {openOverlay} from './open-overlay.ts';
import {seededEntries, seedUpper} from './seed-upper.ts';
import type {ViewInput, WorkspaceView} from './workspace-view.ts';

export async function openNestedView(
  input: ViewInput,
  caller: CallerView,
  way: ViewWay,
): Promise<Outcome<WorkspaceView>> {
  const opened = await caller.copy(async () => await openOver(input, caller.view, way));
  if (!opened.ok) return opened;
  const view = opened.value;
  const changed = changedSource(input.profile, input.root, view.door);
  if (changed === undefined) return ok({...view, isChecked: true});
  view.close();
  return failed({message: `a mount changed before the start: \`${changed}\``, help: 'retry the call', retryable: true});
}

async function openOver(input: ViewInput, caller: WorkspaceView, way: ViewWay): Promise<Outcome<WorkspaceView>> {
  const {root, folder} = input;
  if (way === 'copied') return await copyOver(input, caller, mountsOnly);
  if (caller.upperOnDisk === undefined) {
    const why = {
      message: "the caller's writes are kept in a copy or in memory",
      help: 'move the workspace to a file system that supports overlays, such as ext4, xfs or btrfs',
    };
    return await copyOver(input, caller, why);
  }
  const upper = join(folder, 'up');
  const seeded = await seedUpper(caller.upperOnDisk, upper);
  if (!seeded.ok) {
    return failed({message: `the caller's writes could not be copied (\`${seeded.problem}\`)`, help: 'retry the call'});
  }
  const opened = await openOverlay(input, caller.inner ?? []);
  if (!opened.ok) return opened;
  const view = opened.value;
  return ok({...view, copied: await seededEntries({root, base: caller.door, door: view.door, upper})});
}

async function copyOver(input: ViewInput, caller: WorkspaceView, why: SandboxProblem): Promise<Outcome<WorkspaceView>> {
  return await openCopy({...input, copies: caller.door}, why, {inner: caller.inner ?? []});
}

/** The caller could have changed a mount's source after the profile was compiled. The source cannot change in the view. */
function changedSource(profile: SandboxProfile, root: string, door: string): string | undefined {
  const mounts = [...profile.writable_bind_mounts, ...profile.readonly_bind_mounts].map(({source}) => source);
  const hidden = profile.deny_overlays.map(({path}) => path);
  // No view gives a call access to the runtime's state.
  const looked = [...mounts, ...hidden].filter(
    (path) => isWithin(path, root) && !isWithin(path, join(root, '.lumenflow')),
  );
  return looked.find((path) => !isPlain(relative(root, path), door));
}

/** Whether it is there and no symlink is on the way. */
function isPlain(path: string, door: string): boolean {
  const names = path === '' ? [] : path.split('/');
  return names.every((_, index) => {
    const stat = lstatSync(join(door, ...names.slice(0, index + 1)), {throwIfNoEntry: false});
    return stat !== undefined && !stat.isSymbolicLink();
  });
}
