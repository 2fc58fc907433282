// The calls that were started and have no outcome. Small however long the log is, so it is kept beside the tree's
// frontier: a process that starts learns what was left open without reading the log from its beginning.
import type {LineLocation} from '../log/log-cursor.ts';
import type {LineFold} from '../log/log-follower.ts';
import {callOf} from './record-body.ts';
import type {CallLocations, RecordLocation} from './record-location.ts';

interface OpenCall {
  readonly startSeq: number;
  readonly started: RecordLocation;
  readonly progress: RecordLocation[];
}

export class OpenCalls implements LineFold {
  #calls = new Map<string, OpenCall>();

  add(line: Buffer, {seq, segment, offset}: LineLocation): boolean {
    const record = callOf(line);
    if (record === undefined) return false;
    const location = {segment, offset, bytes: line.length};
    if (record.type === 'tool_call_finished') this.#calls.delete(record.receipt_id);
    else if (record.type === 'tool_call_progress') this.#calls.get(record.receipt_id)?.progress.push(location);
    else if (!this.#calls.has(record.receipt_id)) {
      this.#calls.set(record.receipt_id, {startSeq: seq, started: location, progress: []});
    }
    return true;
  }

  /** In order of their start. */
  locations(): readonly CallLocations[] {
    return [...this.#calls.values()].map((call) => ({...call, finished: undefined}));
  }

  /** As JSON, for `restore`. */
  state(): unknown {
    return [...this.#calls];
  }

  /** False, and nothing changed, for what `state` did not give. */
  restore(state: unknown): boolean {
    if (!Array.isArray(state) || !state.every(isEntry)) return false;
    this.#calls = new Map(state);
    return true;
  }
}

function isEntry(value: unknown): value is [string, OpenCall] {
  if (!Array.isArray(value)) return false;
  const [id, call] = value as [unknown, Partial<OpenCall> | null | undefined];
  if (typeof id !== 'string' || typeof call?.startSeq !== 'number' || !Array.isArray(call.progress)) return false;
  return [call.started, ...call.progress].every(isLocation);
}

function isLocation(value: unknown): value is RecordLocation {
  const {segment, offset, bytes} = (value ?? {}) as Partial<RecordLocation>;
  return [segment, offset, bytes].every((part) => Number.isSafeInteger(part) && Number(part) >= 0);
}
