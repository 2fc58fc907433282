// Reports of a running handler: progress goes to the caller and to the log in order, and log lines are collected.
// Both are bounded, and reports after the outcome are ignored.
import {cutText} from '../cut-text.ts';
import type {LogLevel} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import {logLengthMax, progressLengthMax, progressRecordsMax} from '../limits.ts';
import type {DispatchRequest} from '../ports.ts';
import type {AdmittedCall} from './call.ts';
import {withheldNote, type ResultJudge} from './result-judge.ts';

const logIsFull = JSON.stringify({level: 'warn', message: 'the log of this call is full: the rest is dropped'});

export interface HandlerReports extends Pick<DispatchRequest, 'onProgress' | 'onLog'> {
  isOver(): boolean;
  /** Ignores further reports, and returns the log as JSON Lines. */
  end(): string;
}

export function collectHandlerReports(
  kernel: Kernel,
  call: AdmittedCall,
  judge: ResultJudge | undefined,
): HandlerReports {
  const log: string[] = [];
  let logLength = 0;
  let sequence = 0;
  let over = false;

  const keep: HandlerReports['onLog'] = ({level, message, fields}) => {
    const line = jsonText({level, message, fields}) ?? JSON.stringify({level, message, fields_lost: 'no JSON'});
    const room = logLengthMax - logIsFull.length - logLength;
    if (room <= 0) return;
    logLength += line.length + 1;
    if (line.length < room) log.push(line);
    // What a sandboxed handler printed comes as one line, so its beginning is worth keeping.
    else log.push(...beginning(level, message, room), logIsFull);
  };
  /** A listener that throws is the caller's fault, not the handler's. */
  const emit = (what: string, listener: () => void): void => {
    try {
      listener();
    } catch (error) {
      keep({level: 'error', message: `a listener for ${what} threw: ${String(error)}`});
    }
  };
  const onLog: HandlerReports['onLog'] = (entry) => {
    if (over) return;
    const seen = judgedEntry(entry, judge);
    keep(seen);
    emit('log', () => call.request.context.onLog?.(seen));
  };
  const record = (payload: unknown): void => {
    const text = jsonText(payload);
    if (text === undefined || text.length > progressLengthMax || sequence >= progressRecordsMax) return;
    sequence += 1;
    const {receipt_id} = call;
    const timestamp = kernel.ports.clock.timestamp();
    const progress = {type: 'tool_call_progress' as const, timestamp, receipt_id, sequence, payload};
    // The outcome's record follows in the same log: if this write fails, that one fails too, and the caller gets the error.
    kernel.ports.evidence.append([progress], {fsync: false}).catch(() => undefined);
  };
  return {
    onLog,
    onProgress(given) {
      if (over) return;
      const payload = judgedPayload(given, judge);
      record(payload);
      emit('progress', () => call.request.context.onProgress?.(payload));
    },
    isOver: () => over,
    end() {
      over = true;
      return log.join('\n');
    },
  };
}

type LogEntry = Parameters<HandlerReports['onLog']>[0];

function judgedEntry(entry: LogEntry, judge: ResultJudge | undefined): LogEntry {
  if (judge === undefined) return entry;
  const {parts, result} = judge([entry.message, entry.fields]);
  if (parts === undefined) return {level: entry.level, message: withheldNote(result)};
  const [message, fields] = parts;
  return {
    ...entry,
    message: message as string,
    ...(fields !== undefined && {fields: fields as LogEntry['fields']}),
  } as LogEntry;
}

function judgedPayload(payload: unknown, judge: ResultJudge | undefined): unknown {
  if (judge === undefined) return payload;
  const {parts, result} = judge([payload]);
  return parts === undefined ? withheldNote(result) : parts[0];
}

/** As much of the message as has room as JSON, within a factor of two; nothing when nothing has. */
function beginning(level: LogLevel, message: string, room: number): readonly string[] {
  for (let length = Math.min(message.length, room); length > 0; length >>= 1) {
    const line = JSON.stringify({level, message: cutText(message, length)});
    if (line.length < room) return [line];
  }
  return [];
}

/** Undefined for a value that is not JSON. */
function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // A cycle, a bigint or a toJSON that throws: the caller chooses a replacement.
    return undefined;
  }
}
