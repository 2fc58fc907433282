// Publishes both logs as static files in the layout of C2SP tlog-tiles (https://c2sp.org/tlog-tiles), for any web server. An entry is the
// SHA-256 of a line: the published log discloses no record, and commits to each of them. The checkpoint is written last, so that a crash
// at any step leaves the folder with what the old checkpoint covers.
import {KernelError} from '@lumenflow/kernel';
import {MerkleTree, encodeHex, openNote, parseCheckpoint, type Checkpoint} from '@lumenflow/kernel/adapters';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {LogSource, WorkspaceLogs} from '../signed-log/log-reader.ts';
import {parseVerifierKey, renamedVerifierKey} from '../signed-log/note-key.ts';
import {hashBytes, tileHashes, tileHeight} from '../signed-log/tile-file.ts';
import {sha256Bytes} from '../system/sha256.ts';
import type {LogName} from '../log/log-name.ts';
import {CosignedNotes} from '../witness/cosigned-notes.ts';
import {PublishedFolder} from './published-folder.ts';
import {TileColumn, type WriteFile} from './tile-column.ts';

export interface TilesSource {
  readonly logs: WorkspaceLogs<LogSource>;
  /** C2SP verifier keys of all signers. */
  readonly keys: readonly string[];
  /** `.lumenflow/kernel`: where cosignatures are, which are published with the checkpoints. */
  readonly stateFolder?: string;
}

/** How many lines of each log are published. */
export interface PublishedTiles {
  readonly records: number;
  readonly events: number;
}

/** Of an entry in a bundle: its length, big-endian. */
const entryPrefix = Buffer.from([0, hashBytes]);

/**
 * `folder` must be empty, missing, or contain an older state of the same logs, which is continued. Rejects with KernelError LOG_CORRUPT if
 * a log does not have what its checkpoint or the published one covers, and with LOG_UNAVAILABLE if nothing is signed, no key is known, or
 * the folder contains something else.
 */
export async function publishTiles({logs, keys, stateFolder}: TilesSource, folder: string): Promise<PublishedTiles> {
  if (keys.length === 0) throw new KernelError('LOG_UNAVAILABLE', 'no public key is known that the log is signed with');
  const text = keys.flatMap(publishedKeys).map((key) => `${key}\n`);
  const published = new PublishedFolder(folder, text.join(''));
  // Nothing is written before both logs are known to be the published ones.
  const cosigned = (log: LogName): CosignedNotes | undefined =>
    stateFolder === undefined ? undefined : new CosignedNotes(stateFolder, log);
  const events = await prepareLog(logs.events, keys, {...subfolder(published, 'events'), cosigned: cosigned('events')});
  const records = await prepareLog(logs.traces, keys, {
    ...subfolder(published, 'records'),
    cosigned: cosigned('traces'),
  });
  if (records === undefined) {
    throw new KernelError('LOG_UNAVAILABLE', `\`${logs.traces.checkpoints.location}\` contains no checkpoint`);
  }
  await events?.write();
  await records.write();
  return {records: records.size, events: events?.size ?? 0};
}

/** The key under each name that it signs with. Earlier versions signed under the first one only. */
function publishedKeys(key: string): readonly string[] {
  const name = key.split('+', 1)[0] ?? '';
  return [key, renamedVerifierKey(key, `${name}/traces`), renamedVerifierKey(key, `${name}/events`)];
}

function subfolder(published: PublishedFolder, name: string): Pick<PublishedFolder, 'read' | 'write'> {
  return {
    read: (path) => published.read(`${name}/${path}`),
    write: (path, bytes) => published.write(`${name}/${path}`, bytes),
  };
}

interface PreparedLog {
  readonly size: number;
  write(): Promise<void>;
}

/** Compares a log with its checkpoint and with the published one. Undefined if nothing is signed. */
async function prepareLog(
  log: LogSource,
  keys: readonly string[],
  {read, write, cosigned}: Pick<PublishedFolder, 'read' | 'write'> & {readonly cosigned: CosignedNotes | undefined},
): Promise<PreparedLog | undefined> {
  const verifiers = keys.flatMap((key) => parseVerifierKey(key) ?? []);
  const open = (note: string, where: string): Checkpoint => {
    const checkpoint = parseCheckpoint(openNote(note, verifiers)?.text ?? '');
    if (checkpoint !== undefined) return checkpoint;
    throw new KernelError('LOG_CORRUPT', `${where} is not a checkpoint signed by a known key`);
  };
  const size = (await log.checkpoints.sizes()).at(-1) ?? 0;
  const note = await log.checkpoints.read(size);
  if (note === undefined) return undefined;
  const newest = open(note, `\`${log.checkpoints.where(size)}\``);
  const published = read('checkpoint')?.toString();
  const older = published === undefined ? [] : [open(published, 'the published `checkpoint`')];
  for (const {size: olderSize} of older) {
    if (olderSize <= size) continue;
    const message = `\`${log.location}\` was rolled back: its newest checkpoint covers ${size} lines, and the published one`;
    throw new KernelError('LOG_CORRUPT', `${message} ${olderSize}`);
  }
  await writeTree(log, [...older, newest], () => undefined);
  return {
    size,
    async write() {
      await writeTree(log, [newest], write);
      write('checkpoint', Buffer.from(cosigned?.complete(size, note) ?? note));
    },
  };
}

/** Writes all tiles up to the last checkpoint, and compares the tree with each checkpoint. */
async function writeTree(log: LogSource, checkpoints: readonly Checkpoint[], write: WriteFile): Promise<void> {
  const size = checkpoints.at(-1)?.size ?? 0;
  const entries = new TileColumn('entries', write);
  const levels: TileColumn[] = [];
  const tree = new MerkleTree(sha256Bytes);
  const cursor = log.cursor();
  try {
    while (tree.size < size) {
      const stop = await cursor.advance(
        (_line, {hash}) => {
          const entry = Buffer.from(hash, 'hex');
          entries.add(Buffer.concat([entryPrefix, entry]));
          tree.append(entry, (level, subtree) => {
            if (level % tileHeight === 0)
              (levels[level / tileHeight] ??= new TileColumn(level / tileHeight, write)).add(subtree);
          });
          compare(log, tree, checkpoints);
        },
        Math.min(tileHashes, size - tree.size),
      );
      if (stop.kind !== 'limit') {
        const reason = stop.kind === 'wrong' ? stop.reason : 'is missing';
        throw new KernelError('LOG_CORRUPT', `${log.where({...cursor.position, seq: tree.size + 1})} ${reason}`);
      }
      await nextTurn();
    }
    for (const column of [entries, ...levels]) column.finish();
  } finally {
    cursor.close();
  }
}

function compare(log: LogSource, tree: MerkleTree, checkpoints: readonly Checkpoint[]): void {
  for (const {size, root} of checkpoints) {
    if (size !== tree.size || encodeHex(root) === encodeHex(tree.root())) continue;
    throw new KernelError(
      'LOG_CORRUPT',
      `the first ${size} lines of \`${log.location}\` are not those that were signed`,
    );
  }
}
