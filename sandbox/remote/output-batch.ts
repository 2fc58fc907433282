// A part of an execution's output: whole, so that it can be signed, and numbered, so that it can be asked for again.
import type {WorkerObservation} from '../backends/sandbox-backend.ts';
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

export function encodeBatch({bytes, ...head}: OutputBatch): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]);
}

/** Undefined if it is not a batch. */
export function decodeBatch(body: Buffer): OutputBatch | undefined {
  const at = body.indexOf(newline);
  if (at === -1) return undefined;
  try {
    const head = JSON.parse(body.toString('utf8', 0, at)) as Omit<OutputBatch, 'bytes'>;
    return Number.isSafeInteger(head.number) ? {...head, bytes: body.subarray(at + 1)} : undefined;
  } catch {
    return undefined;
  }
}
