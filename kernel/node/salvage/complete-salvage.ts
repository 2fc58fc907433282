// Cuts a log back to its intact lines, after everything else was put aside, and records the salvage in the event log. Each step can be
// repeated: a crash between any two of them leaves a log that the next run completes.
import type {EvidenceSalvaged} from '@lumenflow/schemas';
import {closeSync, existsSync, openSync, readFileSync, readSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {archivedEnd} from '../log/archived-lines.ts';
import {LogCursor} from '../log/log-cursor.ts';
import {formatLine} from '../log/log-line.ts';
import type {LogPosition} from '../log/log-position.ts';
import {segmentPath, syncFolder} from '../log/segment-files.ts';
import {sha256Hex} from '../system/sha256.ts';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {findDamage} from './find-damage.ts';
import {logFilesOf} from './log-files.ts';
import type {FileAside, Salvage} from './put-aside.ts';

/** Called before each change of the state; a test ends the process there. */
export type BeforeStep = () => void;

export interface SalvagedState {
  readonly stateFolder: string;
  readonly archive: ArchiveStore | undefined;
  readonly beforeStep?: BeforeStep | undefined;
}

/** Under the lock. If the damaged log is that of the records, the event log must be intact. */
export async function completeSalvage(
  {stateFolder, archive, beforeStep = () => undefined}: SalvagedState,
  salvage: Salvage,
): Promise<void> {
  const {log, position, files} = salvage.manifest;
  const {folder} = logFilesOf(stateFolder, log);
  const events = logFilesOf(stateFolder, 'events').folder;
  const isRecorded = hasEvent(events, salvage.id);
  // Until it is recorded, the damage remains. Without it, the log is another one, such as a copy that was restored.
  if (!isRecorded && (await findDamage(logFilesOf(stateFolder, log), archive))?.position.head !== position.head) return;
  const end = endOf(events);
  const step = (work: () => void): void => {
    beforeStep();
    work();
  };
  const removeAll = (some: readonly FileAside[]): void => {
    for (const {path} of some.filter((file) => isUnchanged(stateFolder, file))) {
      step(() => remove(join(stateFolder, path)));
    }
  };
  if (!isRecorded && log === 'traces') step(() => writeEnd(events, end, eventLine(salvage, end)));
  // Later segments first: the log is damaged until its end is intact.
  const segments = files.filter(({path}) => path.endsWith('.jsonl'));
  const cut = segments.find(({path}) => join(stateFolder, path) === segmentPath(folder, position.segment));
  removeAll(segments.filter((file) => file !== cut));
  if (!isRecorded && log === 'events') step(() => writeEnd(folder, position, eventLine(salvage, position)));
  if (log === 'traces' && cut && isUnchanged(stateFolder, cut)) step(() => writeEnd(folder, position, ''));
  // The index is rebuilt from the logs, and contains lines that are gone.
  rmSync(join(stateFolder, 'index'), {recursive: true, force: true});
  removeAll(files.filter((file) => !segments.includes(file)));
}

/** Only a salvage that is complete can be among the archived events. */
function hasEvent(folder: string, id: string): boolean {
  const cursor = new LogCursor({folder, from: archivedEnd(folder)});
  let found = false;
  try {
    cursor.advance((line) => {
      found ||= line.includes(`"type":"evidence_salvaged"`) && line.includes(`"id":"${id}"`);
    });
  } finally {
    cursor.close();
  }
  return found;
}

function endOf(folder: string): LogPosition {
  const cursor = new LogCursor({folder, from: archivedEnd(folder)});
  try {
    cursor.advance(() => true);
    return cursor.position;
  } finally {
    cursor.close();
  }
}

function eventLine({id, manifest, manifestSha256}: Salvage, {seq, head}: LogPosition): string {
  const event: Omit<EvidenceSalvaged, 'seq' | 'prev'> = {
    type: 'evidence_salvaged',
    timestamp: manifest.at,
    actor: manifest.by,
    id,
    log: manifest.log,
    reason: manifest.reason,
    damage: manifest.damage,
    kept_lines: manifest.position.seq,
    known_lines: manifest.known_lines,
    ...(manifest.sessions && {sessions: [...manifest.sessions]}),
    manifest_sha256: manifestSha256,
  };
  return `${formatLine(seq + 1, head, JSON.stringify(event))}\n`;
}

/** Replaces a segment by its bytes before a position, and what follows; whole, or not at all. */
function writeEnd(folder: string, {segment, offset}: LogPosition, text: string): void {
  const path = segmentPath(folder, segment);
  const bytes = Buffer.concat([existsSync(path) ? readStart(path, offset) : Buffer.alloc(0), Buffer.from(text)]);
  if (bytes.length === 0) return remove(path);
  const temporary = `${path}.new`;
  writeFileSync(temporary, bytes, {mode: 0o600, flush: true});
  renameSync(temporary, path);
  syncFolder(folder);
}

function readStart(path: string, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const fd = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(fd, bytes, 0, length, 0));
  } finally {
    closeSync(fd);
  }
}

/** Whether a file is still the one that was put aside: a name can be used again later. */
function isUnchanged(stateFolder: string, {path, sha256}: FileAside): boolean {
  const full = join(stateFolder, path);
  return existsSync(full) && sha256Hex(readFileSync(full)) === sha256;
}

function remove(path: string): void {
  rmSync(path, {force: true});
  syncFolder(dirname(path));
}
