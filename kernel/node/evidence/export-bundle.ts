// Writes a copy of the evidence that strangers can verify without LumenFlow: both logs as far as they are signed, the newest checkpoint
// of each, the public keys, and every content under its SHA-256.
import {KernelError} from '@lumenflow/kernel';
import {ArchiveReader} from '../archive/archive-reader.ts';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {refsOf} from './refs-of.ts';
import type {EvidenceRecord} from '@lumenflow/schemas';
import {closeSync, mkdirSync, openSync, readdirSync, writeFileSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {BlobWindows} from '../blobs/blob-windows.ts';
import {LogCursor} from '../log/log-cursor.ts';
import {segmentPath} from '../log/segment-files.ts';
import {readVerifierKeys} from '../signed-log/note-key.ts';
import {createNoteFiles} from '../signed-log/note-files.ts';
import {CosignedNotes} from '../witness/cosigned-notes.ts';

const linesPerTurn = 500;

export interface BundleSource {
  /** `.lumenflow/kernel` or a copy of it. */
  readonly stateFolder: string;
  /** The folder of `evidence.pub`. */
  readonly keyFolder: string;
  /** Where archived parts are. */
  readonly archive?: ArchiveStore | undefined;
}

export interface Bundle {
  readonly records: number;
  readonly events: number;
  readonly contents: number;
  /** Contents that records refer to and that are redacted, lost or missing. */
  readonly missing: number;
}

/**
 * `folder` must be empty or missing. Throws KernelError LOG_CORRUPT when a log has not what its checkpoint covers, and LOG_UNAVAILABLE
 * when nothing is signed, no key is known, or the folder is not empty.
 */
export async function exportBundle(
  {stateFolder, keyFolder, archive: store}: BundleSource,
  folder: string,
): Promise<Bundle> {
  const archive = new ArchiveReader(store, stateFolder);
  await archive.refresh();
  mkdirSync(folder, {recursive: true});
  if (readdirSync(folder).length > 0) throw new KernelError('LOG_UNAVAILABLE', `\`${folder}\` is not empty`);
  mkdirSync(join(folder, 'contents'));
  const keys = readVerifierKeys(keyFolder);
  if (keys.length === 0) throw new KernelError('LOG_UNAVAILABLE', `\`${keyFolder}\` contains no public key`);
  const tree = (name: string): string => join(stateFolder, 'evidence', 'tree', name);
  const blobs = new BlobWindows(join(stateFolder, 'evidence', 'inputs'));
  const refs = new Set<string>();
  let missing = 0;
  const keep = async (line: string): Promise<void> => {
    for (const ref of refsOf(JSON.parse(line) as EvidenceRecord)) {
      if (refs.has(ref)) continue;
      refs.add(ref);
      const content = await archive.reading(() => blobs.read(ref));
      if (content.kind === 'found') writeFileSync(join(folder, 'contents', content.hash), content.bytes);
      else missing += 1;
    }
  };
  try {
    const ofEvents = {
      log: join(stateFolder, 'events'),
      tree: tree('events'),
      cosigned: new CosignedNotes(stateFolder, 'events'),
      archive,
    };
    const events = await copyLog(ofEvents, join(folder, 'events'));
    const traces = {
      log: join(stateFolder, 'evidence', 'traces'),
      tree: tree('traces'),
      cosigned: new CosignedNotes(stateFolder, 'traces'),
      archive,
    };
    const records = await copyLog(traces, join(folder, 'records'), keep);
    if (records === 0) throw new KernelError('LOG_UNAVAILABLE', `\`${tree('traces')}\` contains no checkpoint`);
    writeFileSync(join(folder, 'keys'), keys.map((key) => `${key}\n`).join(''));
    return {records, events, contents: readdirSync(join(folder, 'contents')).length, missing};
  } finally {
    blobs.close();
  }
}

interface CopiedLog {
  readonly log: string;
  readonly tree: string;
  readonly cosigned: CosignedNotes;
  readonly archive: ArchiveReader;
}

/** Writes `<to>.jsonl` and `<to>.checkpoint`; returns the number of lines. */
async function copyLog(
  {log, tree, cosigned, archive}: CopiedLog,
  to: string,
  visit: (line: string) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const notes = createNoteFiles(tree);
  const size = (await notes.sizes()).at(-1) ?? 0;
  const note = await notes.read(size);
  if (note === undefined) return 0;
  writeFileSync(`${to}.checkpoint`, cosigned.complete(size, note));
  const fd = openSync(`${to}.jsonl`, 'wx');
  const cursor = new LogCursor({folder: log});
  try {
    while (cursor.position.seq < size) {
      const lines: string[] = [];
      const stop = await archive.reading(() =>
        cursor.advance(
          (line) => void lines.push(`${line.toString()}\n`),
          Math.min(linesPerTurn, size - cursor.position.seq),
        ),
      );
      for (const line of lines) await visit(line);
      writeSync(fd, lines.join(''));
      if (stop.kind !== 'limit') {
        const {segment, seq} = cursor.position;
        const reason = stop.kind === 'wrong' ? stop.reason : 'is missing';
        throw new KernelError('LOG_CORRUPT', `\`${segmentPath(log, segment)}\` line ${seq - segment + 2} ${reason}`);
      }
      await nextTurn();
    }
    return size;
  } finally {
    cursor.close();
    closeSync(fd);
  }
}
