// Deletes the contents of old calls by a rule of the workspace. An event says so before anything is deleted. Contents that newer calls,
// open approvals or changes that wait share with them, and those under a legal hold, stay.
import type {Hold} from '../retention/retention.ts';
import {isUnsettled} from '../changes/kept-changes.ts';
import type {Kernel} from '../context/kernel.ts';
import {isOpen} from '../approvals/approval-record.ts';
import type {Receipt} from '../ports.ts';
import {contentsOf} from './contents-of.ts';
import {callsIn, holdsOn} from './held-calls.ts';

export interface ExpiryOrder {
  /** The rule, such as `contents: 400d`. */
  readonly rule: string;
  /** UTC, ISO 8601 with milliseconds: contents of older records are deleted. */
  readonly before: string;
  readonly by: string;
  /** Only reports. */
  readonly dryRun?: boolean;
}

export interface Expiry {
  /** Contents that are deleted now. */
  readonly contents: number;
  /** Contents that a legal hold keeps. */
  readonly held: number;
  /** Contents of later records stay. */
  readonly through_seq: number;
}

export async function expireContents(kernel: Kernel, order: ExpiryOrder): Promise<Expiry> {
  const through_seq = await lastBefore(kernel, order.before);
  if (through_seq === 0) return {contents: 0, held: 0, through_seq};
  const {hashes, complete_seq} = await oldContents(kernel, through_seq);
  const later: Later = {newest: through_seq, open: new Set(), approvals: new Set()};
  await withoutLater(kernel, hashes, later);
  const {holds} = kernel.state.retention;
  const held = await withoutHeld(kernel, hashes);
  const expiry = {contents: hashes.size, held, through_seq};
  if (order.dryRun === true || hashes.size === 0) return expiry;
  const before_complete = kernel.state.retention.expired?.complete_seq ?? 0;
  // A legal hold that was added in the meantime keeps contents, too.
  const isAsBefore = (): boolean => kernel.state.retention.holds === holds;
  if (!(await record(kernel, order, {...expiry, complete_seq: before_complete}, isAsBefore))) {
    return await expireContents(kernel, order);
  }
  const inMeantime = {holds, later, held: 0};
  await dropNeeded(kernel, hashes, inMeantime);
  const {contents} = kernel.ports;
  contents.forget([...hashes]);
  if (contents.shredUnneeded) await contents.shredUnneeded(hashes, () => dropNeeded(kernel, hashes, inMeantime));
  else for (const hash of hashes) await contents.shred(hash);
  const done = {contents: hashes.size, held: held + inMeantime.held, through_seq};
  // An interrupted deletion is repeated from where the one before it was complete. What a legal hold keeps is due again after it.
  await record(kernel, order, {...done, complete_seq: done.held === 0 ? complete_seq : before_complete});
  return done;
}

interface Meantime {
  holds: readonly Hold[];
  readonly later: Later;
  /** Contents that a legal hold keeps that was added in the meantime. */
  held: number;
}

/** Removes what a legal hold, a call or an approval needs that was recorded since the last time. */
async function dropNeeded(kernel: Kernel, hashes: Set<string>, since: Meantime): Promise<void> {
  await kernel.ports.events.refresh();
  const {holds} = kernel.state.retention;
  if (holds !== since.holds) since.held += await withoutHeld(kernel, hashes);
  since.holds = holds;
  await withoutLater(kernel, hashes, since.later);
}

/** Removes what a legal hold keeps, and returns how many contents these are. */
async function withoutHeld(kernel: Kernel, hashes: Set<string>): Promise<number> {
  const held = await holdsOn(kernel, hashes);
  for (const hash of held.keys()) hashes.delete(hash);
  return held.size;
}

async function record(
  {ports}: Kernel,
  {rule, before, by}: ExpiryOrder,
  expiry: Expiry & {readonly complete_seq: number},
  isWanted = (): boolean => true,
): Promise<boolean> {
  const event = {
    type: 'evidence_expired' as const,
    timestamp: ports.clock.timestamp(),
    actor: by,
    rule,
    before,
    ...expiry,
  };
  return await ports.events.transact(() =>
    isWanted() ? {events: [event], result: true} : {events: [], result: false},
  );
}

/** The newest record before which everything is older than a time. */
async function lastBefore({ports}: Kernel, before: string): Promise<number> {
  const {receipts} = await ports.evidence.read({until: before, limit: 1});
  return receipts[0]?.started.seq ?? 0;
}

interface OldContents {
  readonly hashes: Set<string>;
  /** Every call that began up to here is completely among them. */
  readonly complete_seq: number;
}

async function oldContents(kernel: Kernel, throughSeq: number): Promise<OldContents> {
  const from = kernel.state.retention.expired?.complete_seq ?? 0;
  const hashes = new Set<string>();
  const later: string[] = [];
  let complete_seq = throughSeq;
  for await (const receipt of callsIn(kernel, {before_seq: throughSeq + 1})) {
    const {started, finished} = receipt;
    if (started.seq <= from) break;
    const isWhole = finished !== undefined && finished.seq <= throughSeq && !waits(kernel, receipt);
    if (!isWhole) complete_seq = Math.min(complete_seq, started.seq - 1);
    if (waits(kernel, receipt)) {
      later.push(...(await contentsOf(kernel, receipt)));
      continue;
    }
    for (const hash of await contentsOf(kernel, receipt, {throughSeq})) hashes.add(hash);
    // Its output can be the same content as its input.
    later.push(...(await contentsOf(kernel, receipt, {afterSeq: throughSeq})));
  }
  for (const hash of later) hashes.delete(hash);
  return {hashes, complete_seq};
}

/** Whether a person or a retry still needs the contents. */
function waits({state}: Kernel, {receipt_id, started, finished}: Receipt): boolean {
  const kept = state.changes.get(receipt_id);
  const approval = state.approvals.get(started.approval_request_id ?? '');
  return (
    finished === undefined || (kept !== undefined && isUnsettled(kept)) || (approval !== undefined && isOpen(approval))
  );
}

/** What was read of newer calls and approvals, so that the next time begins after it. */
interface Later {
  newest: number;
  /** Calls that were not over. */
  readonly open: Set<string>;
  readonly approvals: Set<string>;
}

/** Removes what newer calls and open approvals name, too, as far as it was not read before. */
async function withoutLater(kernel: Kernel, hashes: Set<string>, later: Later): Promise<void> {
  for (const {request_id, subject, preview} of kernel.state.approvals.open()) {
    if (later.approvals.has(request_id)) continue;
    later.approvals.add(request_id);
    if ('input_hash' in subject) hashes.delete(subject.input_hash);
    if (preview) await forgetRef(kernel, hashes, preview.ref);
    if (subject.changes_ref !== undefined) await forgetRef(kernel, hashes, subject.changes_ref);
  }
  for (const id of later.open) {
    const receipt = await kernel.ports.evidence.receipt(id);
    if (receipt) await withoutCall(kernel, hashes, {later, receipt});
  }
  const {newest} = later;
  for await (const receipt of callsIn(kernel, {})) {
    if (receipt.started.seq <= newest) break;
    later.newest = Math.max(later.newest, receipt.started.seq);
    await withoutCall(kernel, hashes, {later, receipt});
  }
}

async function withoutCall(
  kernel: Kernel,
  hashes: Set<string>,
  {later, receipt}: {readonly later: Later; readonly receipt: Receipt},
): Promise<void> {
  if (receipt.finished === undefined) later.open.add(receipt.receipt_id);
  else later.open.delete(receipt.receipt_id);
  for (const hash of await contentsOf(kernel, receipt)) hashes.delete(hash);
}

async function forgetRef({ports: {contents, digest}}: Kernel, hashes: Set<string>, ref: string): Promise<void> {
  const text = await contents.get(ref);
  if (text !== undefined) hashes.delete(digest.sha256(text));
}
