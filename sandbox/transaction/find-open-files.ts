// Returns the files that a program of this machine has open, among those that a call is about to replace or delete. The program
// would continue with a file that is no longer in the workspace. Only processes whose descriptors this user may list are seen.
import {existsSync, readdirSync, readFileSync, readlinkSync, statSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import type {Change} from './change.ts';

export interface OpenFile {
  /** Relative to the workspace. */
  readonly path: string;
  readonly pid: number;
}

/** Files that databases keep beside an open file, even if it is open only for reading. */
const companions: readonly string[] = ['-wal', '-shm', '-journal'];
const processesPerTurn = 32;
const accessMode = 3;
/** O_PATH of asm-generic/fcntl.h: such a descriptor neither reads nor writes. */
const openPath = 0o10000000;

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
    for (const fd of numbersIn(`/proc/${pid}/fd`)) open.push(...isOpen({pid, fd}, wanted, root));
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

interface Descriptor {
  readonly pid: number;
  readonly fd: number;
}

function isOpen(
  {pid, fd}: Descriptor,
  wanted: ReadonlyMap<string, readonly Change[]>,
  root: string,
): readonly OpenFile[] {
  const target = orGone(() => readlinkSync(`/proc/${pid}/fd/${fd}`));
  // By name first: in another mount namespace the way there is another, the name is not.
  const named = target === undefined ? undefined : wanted.get(basename(target));
  if (named === undefined) return [];
  const stat = orGone(() => statSync(`/proc/${pid}/fd/${fd}`, {bigint: true}));
  const same = named.filter(({before}) => before?.ino === stat?.ino && before?.dev === stat?.dev);
  const flags = same.length === 0 ? undefined : flagsOf(pid, fd);
  if (flags === undefined || (flags & openPath) !== 0) return [];
  return same
    .filter(({path}) => (flags & accessMode) !== 0 || isDatabaseInUse(join(root, path)))
    .map(({path}) => ({path, pid}));
}

function flagsOf(pid: number, fd: number): number | undefined {
  const text = orGone(() => readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1'));
  const [, octal] = /^flags:\s*([0-7]+)/mu.exec(text ?? '') ?? [];
  return octal === undefined ? undefined : Number.parseInt(octal, 8);
}

function isDatabaseInUse(path: string): boolean {
  const names = new Set(orGone(() => readdirSync(dirname(path))) ?? []);
  return companions.some((end) => names.has(`${basename(path)}${end}`));
}

function numbersIn(directory: string): readonly number[] {
  return (orGone(() => readdirSync(directory)) ?? []).map(Number).filter(Number.isInteger);
}

/** Processes and descriptors come and go, and those of other users are not ours to see; elsewhere there is no /proc. */
function orGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (
      ['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? '')
    )
      return undefined;
    throw error;
  }
}
