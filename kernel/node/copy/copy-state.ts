// Copies a workspace's records into another state, line by line, with the contents that they name, and compares them afterwards.
import {KernelError} from '@lumenflow/kernel';
import type {EvidenceRecord, KernelEvent} from '@lumenflow/schemas';
import {refsOf} from '../evidence/refs-of.ts';
import type {ContentReader, WorkspaceState} from '../state/workspace-state.ts';
import {sha256Hex} from '../system/sha256.ts';
import {specText} from '../tasks/spec-text.ts';
import {logNames, type LogName} from '../log/log-name.ts';
import type {StateImport} from './state-import.ts';

const linesAtOnce = 500;

export interface CopyReport {
  readonly events: number;
  readonly traces: number;
  readonly contents: number;
  readonly specs: number;
  readonly checkpoints: number;
}

export interface CopyOptions {
  readonly from: WorkspaceState;
  readonly to: StateImport;
  /** Called with the number of lines that are copied so far. */
  readonly onProgress?: (lines: number) => void;
}

/** Rejects with KernelError LOG_CORRUPT, and LOG_UNAVAILABLE if the records grew meanwhile. Then nothing is copied. */
export async function copyState({from, to, onProgress = () => undefined}: CopyOptions): Promise<CopyReport> {
  const reader = from.openContentReader?.();
  try {
    const copied = {events: 0, traces: 0, contents: 0, specs: 0, checkpoints: 0};
    const refs = new Set<string>();
    for (const log of logNames) {
      await readLines(from, log, async (lines) => {
        for (const line of lines) await copyNamed({from, to, refs, copied, reader}, log, line);
        await to.append(log, lines);
        copied[log] += lines.length;
        onProgress(copied.events + copied.traces);
      });
      copied.checkpoints += await copyCheckpoints({from, to}, log);
    }
    for (const log of logNames) {
      const length = await from.logs[log].length();
      if (length === copied[log]) continue;
      throw new KernelError(
        'LOG_UNAVAILABLE',
        `${from.logs[log].location} grew while it was copied: stop all hosts first`,
      );
    }
    await to.finish();
    return copied;
  } catch (error) {
    await to.abandon();
    throw error;
  } finally {
    reader?.close();
  }
}

/** Rejects with KernelError LOG_CORRUPT if a record or a content of `one` is not in `other`. */
export async function compareStates(one: WorkspaceState, other: WorkspaceState): Promise<void> {
  for (const log of logNames) {
    const refs = new Set<string>();
    const ends = await Promise.all(
      [one, other].map(
        async (state) =>
          await readLines(state, log, (lines) => {
            for (const line of lines) for (const ref of refsIn(log, line)) refs.add(ref);
            return Promise.resolve();
          }),
      ),
    );
    // The last line's hash covers all lines before it.
    if (ends[0]?.head !== ends[1]?.head) {
      throw new KernelError(
        'LOG_CORRUPT',
        `${other.logs[log].location} does not have the lines of ${one.logs[log].location}`,
      );
    }
    for (const ref of refs) {
      const texts = await Promise.all([one.contents.get(ref), other.contents.get(ref)]);
      if (texts[0] !== texts[1])
        throw new KernelError('LOG_CORRUPT', `the content \`${ref}\` was not copied unchanged`);
    }
  }
}

async function readLines(
  state: WorkspaceState,
  log: LogName,
  visit: (lines: readonly string[]) => Promise<void>,
): Promise<{readonly head: string}> {
  const source = state.logs[log];
  const cursor = source.cursor();
  try {
    for (;;) {
      const lines: string[] = [];
      const stop = await cursor.advance((line) => void lines.push(line.toString()), linesAtOnce);
      await visit(lines);
      if (stop.kind === 'limit') continue;
      if (stop.kind === 'end') return {head: cursor.position.head};
      const reason = stop.kind === 'wrong' ? stop.reason : 'has no end';
      throw new KernelError(
        'LOG_CORRUPT',
        `${source.where({...cursor.position, seq: cursor.position.seq + 1})} ${reason}`,
      );
    }
  } finally {
    cursor.close();
  }
}

interface Copying {
  readonly from: WorkspaceState;
  readonly to: StateImport;
  /** Knows which contents were redacted. */
  readonly reader: ContentReader | undefined;
  /** Those that were copied. */
  readonly refs: Set<string>;
  readonly copied: {contents: number; specs: number};
}

/** What a line names: the contents of calls, and the specs of tasks. */
async function copyNamed({from, to, refs, copied, reader}: Copying, log: LogName, line: string): Promise<void> {
  for (const ref of refsIn(log, line)) {
    if (refs.has(ref)) continue;
    refs.add(ref);
    const text = await from.contents.get(ref);
    if (text === undefined) {
      const found = await reader?.read(ref);
      if (found?.kind === 'shredded') await to.putShredded(ref, found.hash);
      continue;
    }
    await to.putContent(ref, text);
    copied.contents += 1;
  }
  if (log === 'traces') return;
  const event = JSON.parse(line) as KernelEvent;
  if (event.type !== 'task_created' && event.type !== 'task_amended') return;
  const amendedHash = event.type === 'task_amended' ? event.spec_hash : undefined;
  const read = await from.tasks.read(event.task_id, amendedHash);
  if (read === undefined) return;
  const text = specText(read.spec);
  if (sha256Hex(text) !== read.spec_hash) {
    throw new KernelError('LOG_CORRUPT', `the spec of task \`${event.task_id}\` was changed after it was created`);
  }
  await to.putSpec(event.task_id, amendedHash, text);
  copied.specs += 1;
}

/** Only records of calls refer to contents. */
function refsIn(log: LogName, line: string): readonly string[] {
  return log === 'traces' && line.includes('"inputs/') ? refsOf(JSON.parse(line) as EvidenceRecord) : [];
}

async function copyCheckpoints({from, to}: Pick<Copying, 'from' | 'to'>, log: LogName): Promise<number> {
  const {checkpoints} = from.logs[log];
  const sizes = await checkpoints.sizes();
  for (const size of sizes) {
    const note = await checkpoints.read(size);
    if (note !== undefined) await to.keepCheckpoint(log, size, note);
  }
  return sizes.length;
}
