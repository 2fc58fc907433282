// Tries which view of a workspace this machine can give to calls, by opening one.
import {mkdir, rmdir} from 'node:fs/promises';
import {randomUUID} from 'node:crypto';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {realpathSync} from 'node:fs';
import {removeTree} from '../files/remove-tree.ts';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {SandboxError} from '../sandbox-error.ts';
import {openView} from '../transaction/open-view.ts';
import {createWriteBudget} from '../transaction/write-budget.ts';
import {defaultWriteLimits, totalWriteBytesDefault} from '../transaction/write-limits.ts';
import type {DoctorCheck} from './doctor-check.ts';

const name = 'private views';

/** `root`: of the workspace; without one, a temporary folder, which may lie on another file system. */
export async function viewCheck(root: string | undefined): Promise<DoctorCheck> {
  const own = root === undefined ? join(realpathSync(tmpdir()), `lumenflow-doctor-${randomUUID()}`) : undefined;
  const base = own ?? realpathSync(root ?? '');
  const folder = join(base, '.lumenflow', `doctor-${randomUUID()}`);
  try {
    await mkdir(folder, {recursive: true, mode: 0o700});
    return await tryView(base, folder);
  } catch (error) {
    return {
      name,
      ok: false,
      detail: `no private view could be opened: ${String(error)}`,
      fix: 'give this user write access to `.lumenflow`',
    };
  } finally {
    await removeTree(own ?? folder);
    // Only if it was made for this.
    if (own === undefined) await rmdir(dirname(folder)).catch(unlessUsed);
  }
}

function unlessUsed({code = ''}: NodeJS.ErrnoException): void {
  if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(code))
    throw new SandboxError('SYSTEM_REFUSED', `\`.lumenflow\` could not be removed: ${code}`);
}

async function tryView(root: string, folder: string): Promise<DoctorCheck> {
  const opened = await openView({
    root,
    folder,
    limits: defaultWriteLimits,
    budget: createWriteBudget(totalWriteBytesDefault),
    upper: {},
    profile: narrowestProfile(),
    enter: [],
  });
  if (!opened.ok) return {name, ok: false, detail: opened.problem.message, fix: opened.problem.help};
  const view = opened.value;
  view.close();
  const [first] = view.degraded;
  if (view.upperOnDisk !== undefined) return {name, ok: true, detail: first ?? 'an overlay that keeps writes on disk'};
  return {
    name,
    ok: false,
    detail: first ?? 'writes are kept in memory',
    fix: 'move the workspace to a file system that supports overlays, such as ext4, xfs or btrfs',
  };
}
