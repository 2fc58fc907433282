// Copies what a salvage will cut off into a separate folder: the damaged segments whole, checkpoints over lost lines, the hashes of
// the tree, and specs of tasks whose creation is lost. The folder gets its name when it is complete and on disk, so it is never seen with a part of its files.
import {KernelError} from '@lumenflow/kernel';
import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {segmentPath, syncFolder} from '../log/segment-files.ts';
import type {LogName} from '../log/log-name.ts';
import type {LogPosition} from '../log/log-position.ts';
import {createNoteFiles} from '../signed-log/note-files.ts';
import {sha256Hex} from '../system/sha256.ts';
import {CosignedNotes} from '../witness/cosigned-notes.ts';
import type {LogDamage} from './find-damage.ts';
import {logFilesOf} from './log-files.ts';
import {orphanSpecs} from './orphan-specs.ts';
import {sessionsIn} from './sessions-in.ts';

export interface FileAside {
  /** In the state folder, and below `files` in the salvage's folder. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface SalvageManifest {
  readonly log: LogName;
  readonly by: string;
  readonly at: string;
  readonly reason: string;
  readonly damage: string;
  /** Where the log continues. */
  readonly position: LogPosition;
  readonly known_lines: number;
  /** Of events: those that are named in what is cut off. */
  readonly sessions?: readonly string[];
  readonly files: readonly FileAside[];
}

export interface Salvage {
  /** The folder's name. */
  readonly id: string;
  readonly manifest: SalvageManifest;
  readonly manifestSha256: string;
}

export interface SalvageOrder {
  readonly by: string;
  readonly at: string;
  readonly reason: string;
}

function salvageFolder(stateFolder: string): string {
  return join(stateFolder, 'salvaged');
}

export interface Putting {
  readonly log: LogName;
  readonly damage: LogDamage;
  readonly order: SalvageOrder;
}

export async function putAside(
  {stateFolder, archive}: {readonly stateFolder: string; readonly archive: ArchiveStore | undefined},
  {log, damage, order}: Putting,
): Promise<Salvage> {
  const {folder, tree} = logFilesOf(stateFolder, log);
  const notes = createNoteFiles(tree);
  const paths = [
    ...damage.segments.map((first) => segmentPath(folder, first)),
    ...damage.notes.map((size) => notes.where(size)),
    ...cosignedOver(stateFolder, log, damage.position),
    ...filesIn(join(tree, 'tiles')),
    ...(log === 'events' ? await orphanSpecs(stateFolder, damage.position, archive) : []),
  ].map((path) => relative(stateFolder, path));
  const building = join(salvageFolder(stateFolder), `${log}.new`);
  rmSync(building, {recursive: true, force: true});
  const files = paths.map((path) => copyAside(stateFolder, building, path));
  const {by, at, reason} = order;
  const {text, position, knownLines} = damage;
  const sessions =
    log === 'events'
      ? await sessionsIn(stateFolder, {
          paths: damage.segments.map((first) => segmentPath(folder, first)),
          position: damage.position,
          archive,
        })
      : undefined;
  const manifest = {
    log,
    by,
    at,
    reason,
    damage: text,
    position,
    known_lines: knownLines,
    ...(sessions && {sessions}),
    files,
  };
  const json = `${JSON.stringify(manifest, undefined, 2)}\n`;
  mkdirSync(building, {recursive: true, mode: 0o700});
  writeFileSync(join(building, 'manifest.json'), json, {mode: 0o600, flush: true});
  syncFolder(building);
  const manifestSha256 = sha256Hex(json);
  const id = `${log}-${position.seq}-${manifestSha256.slice(0, 8)}`;
  renameSync(building, join(salvageFolder(stateFolder), id));
  syncFolder(salvageFolder(stateFolder));
  syncFolder(stateFolder);
  return {id, manifest, manifestSha256};
}

/** All of a workspace, oldest first. Throws KernelError LOG_CORRUPT for a manifest that was changed. */
export function readSalvages(stateFolder: string): readonly Salvage[] {
  const folder = salvageFolder(stateFolder);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith('.new')) : [];
  const read = names.map((id) => readSalvage(join(folder, id), id));
  return read.toSorted((one, other) => (one.manifest.at < other.manifest.at ? -1 : 1));
}

function readSalvage(folder: string, id: string): Salvage {
  const path = join(folder, 'manifest.json');
  const json = readFileSync(path, 'utf8');
  const manifestSha256 = sha256Hex(json);
  if (!id.endsWith(`-${manifestSha256.slice(0, 8)}`)) {
    throw new KernelError('LOG_CORRUPT', `\`${path}\` was changed: move \`${folder}\` away`);
  }
  return {id, manifest: JSON.parse(json) as SalvageManifest, manifestSha256};
}

/** Throws KernelError LOG_UNAVAILABLE if the copy cannot be read back unchanged. */
function copyAside(stateFolder: string, building: string, path: string): FileAside {
  const bytes = readFileSync(join(stateFolder, path));
  const copy = join(building, 'files', path);
  mkdirSync(dirname(copy), {recursive: true, mode: 0o700});
  writeFileSync(copy, bytes, {mode: 0o600, flush: true});
  syncFolder(dirname(copy));
  const sha256 = sha256Hex(bytes);
  if (sha256Hex(readFileSync(copy)) !== sha256) {
    throw new KernelError(
      'LOG_UNAVAILABLE',
      `\`${copy}\` does not have the bytes that were written: nothing was removed`,
    );
  }
  return {path, bytes: bytes.length, sha256};
}

/** Checkpoints over lost lines that witnesses cosigned. */
function cosignedOver(stateFolder: string, log: LogName, {seq}: LogPosition): readonly string[] {
  const notes = new CosignedNotes(stateFolder, log).list();
  return notes.filter(({size}) => size > seq).map(({path}) => path);
}

function filesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}
