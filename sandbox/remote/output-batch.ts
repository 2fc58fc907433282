// A part of an execution's output: whole, so that it can be signed, and numbered, so that it can be asked for again.
import type {WorkerObservation} from '../backends/sandbox-backend.ts';
import {validateEnforcement} from '@lumenflow/schemas/validators';
import type {ExecutionEnd} from './worker-report.ts';

export interface OutputBatch {
  /** From 1. */
  readonly number: number;
  /** Of the last one. */
  readonly end?: ExecutionEnd;
  /** For the receipt, in the batch with the result. */
  readonly observed?: WorkerObservation;
  readonly bytes: Buffer;
}

const newline = 0x0a;
const observable: ReadonlySet<string> = new Set<keyof WorkerObservation>(['attestation', 'denials', 'connections']);
/** More than the network of a call reports. */
const observedCharactersMax = 1024 ** 2;

export function encodeBatch({bytes, ...head}: OutputBatch): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]);
}

/** Undefined if it is not a batch. A worker chooses its content: what is not known here is left out of it, or is refused. */
export function decodeBatch(body: Buffer): OutputBatch | undefined {
  const at = body.indexOf(newline);
  if (at === -1) return undefined;
  try {
    const {number, end, observed}: Readonly<Record<string, unknown>> = Object(JSON.parse(body.toString('utf8', 0, at)));
    if (!Number.isSafeInteger(number) || !isEnd(end) || !isObservation(observed)) return undefined;
    return {number: number as number, ...(end && {end}), ...(observed && {observed}), bytes: body.subarray(at + 1)};
  } catch {
    return undefined;
  }
}

function isEnd(end: unknown): end is ExecutionEnd | undefined {
  if (end === undefined) return true;
  const {exit_code, signal, problem}: Readonly<Record<string, unknown>> = Object(end);
  return (
    Number.isInteger(exit_code) && [signal, problem].every((text) => text === undefined || typeof text === 'string')
  );
}

/** It becomes part of a receipt, whose other parts the host alone determines. */
function isObservation(observed: unknown): observed is WorkerObservation | undefined {
  if (observed === undefined) return true;
  if (typeof observed !== 'object' || observed === null) return false;
  return (
    Object.keys(observed).every((name) => observable.has(name)) &&
    JSON.stringify(observed).length <= observedCharactersMax &&
    validateEnforcement({backend: '', tier: 'none', ...observed})
  );
}
