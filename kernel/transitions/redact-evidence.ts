// Destroys inputs and outputs of calls permanently. The event log has the author and the reason before a byte is overwritten. The
// records stay unchanged, with the hashes of the destroyed contents, so that the log still verifies.
import {KernelError} from '../errors.ts';
import type {Kernel} from '../context/kernel.ts';
import type {Receipt} from '../ports.ts';
import {holdsOn} from './held-calls.ts';
import type {Hold} from '../retention/retention.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import {checkIds} from './check-ids.ts';

/** All contents of one call, or the one behind a ref. */
export type RedactionTarget = {readonly receipt_id: string} | {readonly ref: string};

export interface RedactionReason {
  /** The person who redacts. */
  readonly by: string;
  readonly reason: string;
}

export interface Redaction {
  /** SHA-256 of each content. Equal contents are stored once, so other calls with the same content lose it too. */
  readonly hashes: readonly string[];
  /** Copies that were overwritten now; none when they were gone before. */
  readonly refs: readonly string[];
}

export async function redactEvidence(
  kernel: Kernel,
  target: RedactionTarget,
  {by, reason}: RedactionReason,
): Promise<TransitionResult<Redaction>> {
  const invalid = checkIds({by});
  if (invalid) return invalid;
  if (typeof reason !== 'string' || reason.trim() === '') return fail('INVALID_INPUT', '`reason` must be a text');
  const hashes = 'receipt_id' in target ? await hashesOf(kernel, target.receipt_id) : await hashAt(kernel, target.ref);
  if (!hashes.success) return hashes;
  const {holds} = kernel.state.retention;
  const [held] = (await holdsOn(kernel, new Set(hashes.data))).values();
  if (held) return refused(held);
  const event = {
    type: 'evidence_redacted' as const,
    timestamp: kernel.ports.clock.timestamp(),
    actor: by,
    reason,
    ...('receipt_id' in target && {receipt_id: target.receipt_id}),
    hashes: [...hashes.data],
  };
  // A legal hold that was added meanwhile keeps contents, too.
  const isRecorded = await kernel.ports.events.transact(() =>
    kernel.state.retention.holds === holds ? {events: [event], result: true} : {events: [], result: false},
  );
  if (!isRecorded) return await redactEvidence(kernel, target, {by, reason});
  const refs: string[] = [];
  for (const hash of hashes.data) refs.push(...(await kernel.ports.contents.shred(hash)));
  if ('ref' in target && (await kernel.ports.contents.get(target.ref)) !== undefined) {
    throw new KernelError('LOG_CORRUPT', `\`${target.ref}\` can still be read: the bytes before it are damaged`);
  }
  return succeed({hashes: hashes.data, refs});
}

function refused({hold_id, by, at, reason}: Hold): TransitionResult<never> {
  const text = `the content is under the legal hold \`${hold_id}\` (${by}, ${at}: ${reason})`;
  return fail('EVIDENCE_HELD', `${text}: lift the legal hold to redact it`, {hold_id});
}

async function hashesOf(kernel: Kernel, receiptId: string): Promise<TransitionResult<readonly string[]>> {
  const receipt = await kernel.ports.evidence.receipt(receiptId);
  if (receipt === undefined) return fail('INVALID_INPUT', `there is no receipt \`${receiptId}\``);
  const hashes = contentsOf(receipt);
  return hashes.length > 0 ? succeed(hashes) : fail('INVALID_INPUT', `receipt \`${receiptId}\` has no contents`);
}

function contentsOf({started, finished}: Receipt): readonly string[] {
  const hashes = [started.input_hash, finished?.output_hash, finished?.log_hash];
  return [...new Set(hashes.flatMap((hash) => hash ?? []))];
}

async function hashAt(kernel: Kernel, ref: string): Promise<TransitionResult<readonly string[]>> {
  const text = await kernel.ports.contents.get(ref);
  if (text === undefined) return fail('INVALID_INPUT', `there is no content behind \`${ref}\`, or not any more`);
  return succeed([kernel.ports.digest.sha256(text)]);
}
