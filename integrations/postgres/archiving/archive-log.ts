// Moves the first lines of one log to the archive, segment by segment. Lines are removed only after the segment was read back from there, and
// after an event has recorded it; the database compares them once more. So an interrupted archiving loses nothing, and the next one completes it.
import {KernelError} from '@lumenflow/kernel';
import {putAndCompare, sha256Hex, type ArchivedSegment, type ArchiveOrder, type LogName} from '@lumenflow/kernel/node';
import type {KernelEvent} from '@lumenflow/schemas';
import {linesOf} from '../state/lines-of.ts';
import type {CheckLock} from '../state/archive-lock.ts';
import type {ArchivedParts} from './archived-parts.ts';

export interface ArchivedLog {
  readonly log: LogName;
  /** No line after this one is archived. */
  readonly through: number;
  readonly check: CheckLock;
}

interface Segment {
  readonly first: number;
  readonly last: number;
  readonly bytes: Buffer;
}

const linesAtOnce = 500;

export async function archiveLog(
  parts: ArchivedParts,
  order: ArchiveOrder,
  {log, through, check}: ArchivedLog,
): Promise<readonly ArchivedSegment[]> {
  const done: ArchivedSegment[] = [];
  let after = await parts.archived[log].refresh();
  for (;;) {
    // What an event has recorded, and an interrupted archiving has not removed.
    const found = order.dryRun === true ? undefined : await recordedAfter(parts, log, after);
    const recorded = found !== undefined && found.last_seq <= through ? found : undefined;
    const bound = recorded === undefined ? {through, before: order.before} : {through: recorded.last_seq};
    const segment = await nextSegment(parts, log, {after, ...bound});
    if (segment === undefined) return done;
    done.push({log, first_seq: segment.first, last_seq: segment.last, bytes: segment.bytes.length});
    if (order.dryRun !== true) await move(parts, {order, log, segment, recorded, check});
    after = segment.last;
  }
}

interface SegmentBounds {
  readonly after: number;
  readonly through: number;
  /** Undefined for lines that were old enough before. */
  readonly before?: string;
}

async function nextSegment(
  {database, archived, objectBytes}: ArchivedParts,
  log: LogName,
  {after, through, before}: SegmentBounds,
): Promise<Segment | undefined> {
  const fetch = linesOf(database, log === 'events' ? 'events' : 'records', archived[log]);
  const beforeMs = before === undefined ? Number.POSITIVE_INFINITY : Date.parse(before);
  const lines: Buffer[] = [];
  let [last, bytes, isFull] = [after, 0, false];
  while (last < through && !isFull) {
    const fetched = await fetch(last, Math.min(linesAtOnce, through - last));
    if (fetched.length === 0) break;
    for (const text of fetched) {
      const line = Buffer.from(`${text}\n`);
      // A segment that was recorded is as large as it was.
      const isTooLarge = before !== undefined && lines.length > 0 && bytes + line.length > objectBytes;
      isFull = isTooLarge || (before !== undefined && !(timeOf(text) < beforeMs));
      if (isFull) break;
      lines.push(line);
      bytes += line.length;
      last += 1;
    }
  }
  return lines.length === 0 ? undefined : {first: after + 1, last, bytes: Buffer.concat(lines)};
}

interface Move {
  readonly order: ArchiveOrder;
  readonly log: LogName;
  readonly segment: Segment;
  readonly recorded: Recorded | undefined;
  readonly check: CheckLock;
}

async function move(parts: ArchivedParts, {order, log, segment, recorded, check}: Move): Promise<void> {
  const {database, store, onStep} = parts;
  const {first, last, bytes} = segment;
  const sha256 = sha256Hex(bytes);
  const key = `${log}/${numbered(first)}-${numbered(last)}-${sha256}.jsonl`;
  onStep(`put ${key}`);
  await putAndCompare(store, key, bytes);
  onStep(`record ${key}`);
  const event = recorded?.key === key ? recorded : await record(parts, order, {log, segment, key});
  await check();
  onStep(`remove ${key}`);
  await database.ask({
    text: 'select archive_segment($1, $2, $3, $4, $5, $6, $7)',
    values: [log, first, last, store.location, key, sha256, event.seq],
  });
  await parts.archived[log].refresh();
}

interface Recorded {
  readonly seq: number;
  readonly key: string;
  readonly last_seq: number;
}

async function record(
  {events, store}: ArchivedParts,
  {at, by}: ArchiveOrder,
  {log, segment, key}: {readonly log: LogName; readonly segment: Segment; readonly key: string},
): Promise<Recorded> {
  const {first: first_seq, last: last_seq} = segment;
  const event = {type: 'evidence_archived' as const, timestamp: at, actor: by, log, first_seq, last_seq};
  const recorded: Recorded[] = [];
  const notice = (found: KernelEvent): void => {
    if (found.type === 'evidence_archived' && found.key === key) recorded.push({seq: found.seq, key, last_seq});
  };
  const stop = await events.onEvent(notice, Number.MAX_SAFE_INTEGER);
  try {
    await events.transact(() => ({events: [{...event, archive: store.location, key}], result: undefined}));
  } finally {
    stop();
  }
  const newest = recorded.at(-1);
  if (newest !== undefined) return newest;
  throw new KernelError('LOG_UNAVAILABLE', `the event that records \`${key}\` was not found: archive again`);
}

/** The event of the segment that comes next, if there is one. */
async function recordedAfter({database}: ArchivedParts, log: LogName, after: number): Promise<Recorded | undefined> {
  const rows = await database.ask<{line: string}>({
    text: `select line from events where line like '%"type":"evidence_archived"%' and line like $1 and line like $2 order by seq desc`,
    values: [`%"log":"${log}"%`, `%"first_seq":${after + 1},%`],
  });
  for (const {line} of rows) {
    const event = JSON.parse(line) as KernelEvent;
    if (event.type !== 'evidence_archived' || event.log !== log || event.first_seq !== after + 1) continue;
    return {seq: event.seq, key: event.key, last_seq: event.last_seq};
  }
  return undefined;
}

/** NaN for what has no time: such a line is never older than a bound. */
function timeOf(line: string): number {
  try {
    const {timestamp} = JSON.parse(line) as {readonly timestamp?: unknown};
    return typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  } catch {
    return Number.NaN;
  }
}

function numbered(seq: number): string {
  return String(seq).padStart(16, '0');
}
