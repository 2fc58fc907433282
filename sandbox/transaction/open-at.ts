// What a descriptor of another process has open, among the files of changes.
import {closeSync, fstatSync, readdirSync, readFileSync, readlinkSync, statSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {openPath, pathOnly} from '../files/open-path.ts';
import type {Change} from './change.ts';
import {orGone} from './or-gone.ts';

export interface OpenFile {
  /** Relative to the workspace. */
  readonly path: string;
  readonly pid: number;
}

/** Files that databases keep beside an open file, even if it is open only for reading. */
const companions: readonly string[] = ['-wal', '-shm', '-journal'];
const accessMode = 3;

export interface Descriptor {
  readonly pid: number;
  readonly fd: number;
}

/** Files that are open there for writing; for a database in use, at all. `wanted`: changes by the name of their file. */
export function openAt(
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
  const found = same.length === 0 ? undefined : inspect(pid, fd);
  if (found === undefined || (found.flags & pathOnly) !== 0) return [];
  return same
    .filter(({path}) => (found.flags & accessMode) !== 0 || isDatabaseInUse(join(root, path)))
    .filter((change) => isOf(found, change, root))
    .map(({path}) => ({path, pid}));
}

interface Inspected {
  readonly flags: number;
  /** As the kernel numbers the inode, which is not always what a stat says; undefined before Linux 5.14. */
  readonly ino: string | undefined;
}

function inspect(pid: number | 'self', fd: number): Inspected | undefined {
  const text = orGone(() => readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1')) ?? '';
  const [, octal] = /^flags:\s*([0-7]+)/mu.exec(text) ?? [];
  const [, ino] = /^ino:\s*([0-9]+)/mu.exec(text) ?? [];
  return octal === undefined ? undefined : {flags: Number.parseInt(octal, 8), ino};
}

/** A program that opens one file after another gets the same number for each, so the flags can be those of the next one. */
function isOf({ino}: Inspected, {path, before}: Change, root: string): boolean {
  const fd = orGone(() => openPath(join(root, path)));
  if (fd === undefined) return true;
  try {
    return ino === undefined || fstatSync(fd, {bigint: true}).ino !== before?.ino || inspect('self', fd)?.ino === ino;
  } finally {
    closeSync(fd);
  }
}

function isDatabaseInUse(path: string): boolean {
  const names = new Set(orGone(() => readdirSync(dirname(path))) ?? []);
  return companions.some((end) => names.has(`${basename(path)}${end}`));
}
