// Exports records exactly as in the log, line by line in order, with only a few of them in memory.
import {KernelError, type EvidenceExportFilter} from '@lumenflow/kernel';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {ArchiveReader} from '../archive/archive-reader.ts';
import {LogCursor} from '../log/log-cursor.ts';
import type {CursorStop} from '../log/line-cursor.ts';
import {segmentPath} from '../log/segment-files.ts';
import {summarize, type RecordSummary} from './record-body.ts';

/** Lines that are read before other work gets a turn. */
const linesPerTurn = 500;

/** JSON Lines, each with its newline, up to the end the log has when it is reached. Throws KernelError LOG_CORRUPT. */
export async function* exportRecords(
  {folder, archive}: {readonly folder: string; readonly archive: ArchiveReader},
  filter: EvidenceExportFilter,
): AsyncGenerator<string, void> {
  const cursor = new LogCursor({folder});
  const wanted = new WantedCalls(filter);
  let stop: CursorStop;
  let isHealed = false;
  const heal = async (): Promise<boolean> => !isHealed && (isHealed = true) && (await archive.heal());
  try {
    do {
      const lines: string[] = [];
      stop = await archive.reading(() =>
        cursor.advance((line) => {
          const record = summarize(line);
          if (record !== undefined && wanted.has(record)) lines.push(`${line.toString()}\n`);
          return record !== undefined;
        }, linesPerTurn),
      );
      yield* lines;
      await nextTurn();
    } while (stop.kind === 'limit' || (stop.kind === 'wrong' && (await heal())));
    if (stop.kind !== 'wrong') return;
    const {segment, seq} = cursor.position;
    throw new KernelError(
      'LOG_CORRUPT',
      `\`${segmentPath(folder, segment)}\` line ${seq - segment + 2} ${stop.reason}`,
    );
  } finally {
    cursor.close();
  }
}

/** Which calls are wanted, as their records come by: all records of a call go with its start. */
class WantedCalls {
  readonly #filter: EvidenceExportFilter;
  readonly #calls = new Set<string>();

  constructor(filter: EvidenceExportFilter) {
    this.#filter = filter;
  }

  has(record: RecordSummary): boolean {
    if (Object.values(this.#filter).every((bound) => bound === undefined)) return true;
    if (record.type === 'tool_call_started') {
      if (this.#accepts(record)) this.#calls.add(record.receipt_id);
    }
    return this.#calls.has(record.receipt_id);
  }

  #accepts({task_id, timestamp}: Extract<RecordSummary, {type: 'tool_call_started'}>): boolean {
    const {since, until} = this.#filter;
    const startedMs = Date.parse(timestamp);
    return (
      (this.#filter.task_id === undefined || this.#filter.task_id === task_id) &&
      (since === undefined || startedMs >= Date.parse(since)) &&
      (until === undefined || startedMs <= Date.parse(until))
    );
  }
}
