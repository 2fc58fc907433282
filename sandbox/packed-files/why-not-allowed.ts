// Checks an entry that a sandbox sends back. The sandbox is not trusted: it may send any path, of any kind.
import {posix} from 'node:path';
import {isWithin} from '../profile/host-paths.ts';
import type {GrantedFiles} from './granted-files.ts';
import type {PackedEntry} from './packed-entry.ts';

const kinds: readonly string[] = ['file', 'directory', 'symlink', 'gone'];
const modeMax = 0o7777;

/** Undefined if the call may have made the change. */
export function whyNotAllowed(
  entry: PackedEntry,
  {writable, sealed, packed}: Pick<GrantedFiles, 'writable' | 'sealed' | 'packed'>,
): string | undefined {
  if (!isWellFormed(entry)) return 'it reported an invalid entry';
  const {path, kind} = entry;
  const isHidden = [...packed.excluded].some((hidden) => isWithin(path, hidden));
  // As for mounts, the innermost decides: a call may write inside a directory that it may only read.
  const isGranted = !isHidden && innermost(path, writable) > innermost(path, sealed);
  if (!isGranted) return `it reported a change of \`${path}\`, which it may not write`;
  return kind === 'gone' && writable.includes(path)
    ? `it reported that \`${path}\` is gone, which is mounted`
    : undefined;
}

/** The length of the longest of these paths that contains it; -1 if none does. */
function innermost(path: string, paths: readonly string[]): number {
  return Math.max(-1, ...paths.filter((one) => isWithin(path, one)).map((one) => one.length));
}

/** What either side may send, for any grant to write. */
export function isWellFormed({path, kind, mode, size, mtime_ns, link, sha256}: PackedEntry): boolean {
  return (
    isPath(path) &&
    (sha256 === undefined || (typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256))) &&
    kinds.includes(kind) &&
    isWhole(mode, modeMax) &&
    isWhole(size, Number.MAX_SAFE_INTEGER) &&
    /^\d{1,20}$/.test(mtime_ns) &&
    (kind === 'symlink' ? isText(link) : link === undefined)
  );
}

function isPath(path: unknown): boolean {
  return isText(path) && posix.resolve('/', path) === path;
}

function isText(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && !text.includes('\0');
}

function isWhole(value: unknown, max: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= max;
}
