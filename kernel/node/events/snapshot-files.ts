// Snapshots of the state beside the event log: a file each, named by the last event that it includes. The first line is where the log
// continues. A file counts only if an event after that position contains its hash, so it is as trustworthy as the log, and one that is
// missing, cut or changed is ignored.
import {mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseLogPosition, type LogPosition} from '../log/log-position.ts';
import {sha256Hex} from '../system/sha256.ts';
import type {StoredSnapshot} from './event-snapshots.ts';

const pattern = /^([0-9]{16})\.snapshot$/u;
/** One whose event was not recorded any more must not replace the only good one. */
const kept = 2;

export interface FoundSnapshot extends StoredSnapshot {
  readonly position: LogPosition;
}

export interface SnapshotOptions {
  readonly folder: string;
  /** Distinguishes this process's temporary files. */
  readonly owner: string;
  /** Events between two snapshots of a short log. */
  readonly every: number;
}

/** From the newest on. */
export function* readSnapshots(folder: string): Generator<FoundSnapshot, void> {
  for (const name of listSnapshots(folder)) {
    const found = readSnapshot(join(folder, name));
    if (found !== undefined) yield found;
  }
}

/** Replaces the oldest ones. Returns the hash of the new one. `owner` distinguishes this process's temporary files. */
export function writeSnapshot(
  {folder, owner}: SnapshotOptions,
  {position, text}: Pick<FoundSnapshot, 'position' | 'text'>,
): string {
  mkdirSync(folder, {recursive: true, mode: 0o700});
  const bytes = Buffer.from(`${JSON.stringify(position)}\n${text}`);
  const path = join(folder, `${String(position.seq).padStart(16, '0')}.snapshot`);
  writeFileSync(`${path}.${owner}`, bytes, {mode: 0o600});
  renameSync(`${path}.${owner}`, path);
  for (const name of listSnapshots(folder).slice(kept)) rmSync(join(folder, name), {force: true});
  return sha256Hex(bytes);
}

function readSnapshot(path: string): FoundSnapshot | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    // Replaced by another process, or unreadable: the log has all that it has.
    return undefined;
  }
  const start = bytes.indexOf('\n') + 1;
  const position = parsePosition(bytes.toString('utf8', 0, start));
  if (position === undefined) return undefined;
  const sha256 = sha256Hex(bytes);
  return {
    position,
    sha256,
    throughSeq: position.seq,
    text: bytes.toString('utf8', start),
  };
}

function parsePosition(text: string): LogPosition | undefined {
  try {
    return parseLogPosition(JSON.parse(text));
  } catch {
    // A damaged snapshot counts as missing.
    return undefined;
  }
}

/** Names, the newest first. */
function listSnapshots(folder: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    // There are none yet, or none that can be read.
    return [];
  }
  return names
    .filter((name) => pattern.test(name))
    .toSorted()
    .toReversed();
}
