// Returns the files that a program of this machine has open, among those that a call is about to replace or delete. The program
// would continue with a file that is no longer in the workspace. Only processes whose descriptors this user may list are seen.
import {existsSync, readdirSync} from 'node:fs';
import {basename} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import type {Change} from './change.ts';
import {openAt, type OpenFile} from './open-at.ts';
import {orGone} from './or-gone.ts';

const processesPerTurn = 32;

/** Files that are open for writing; for a database in use, all that are open. */
export async function findOpenFiles(root: string, changes: readonly Change[]): Promise<readonly OpenFile[]> {
  const wanted = new Map<string, Change[]>();
  for (const change of changes) {
    if (change.before?.kind !== 'file' || change.kind === 'mode') continue;
    const name = basename(change.path);
    wanted.set(name, [...(wanted.get(name) ?? []), change]);
  }
  if (wanted.size === 0) return [];
  const open: OpenFile[] = [];
  let looked = 0;
  for (const pid of numbersIn('/proc')) {
    if (++looked % processesPerTurn === 0) await turn();
    if (!isSeen(pid)) continue;
    for (const fd of numbersIn(`/proc/${pid}/fd`)) open.push(...openAt({pid, fd}, wanted, root));
  }
  return open;
}

/**
 * False for a kernel thread, and for a process of another user. If we may follow this link, we may follow the descriptors. This
 * check costs far less than an error for each descriptor.
 */
function isSeen(pid: number): boolean {
  return existsSync(`/proc/${pid}/exe`);
}

function numbersIn(directory: string): readonly number[] {
  return (orGone(() => readdirSync(directory)) ?? []).map(Number).filter(Number.isInteger);
}
