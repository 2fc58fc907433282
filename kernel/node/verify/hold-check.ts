// Whether a recorded deletion explains that a content is gone: one during a legal hold on its call does not.
import type {EvidenceHeld, HeldCalls, KernelEvent, ToolCallStarted} from '@lumenflow/schemas';

/** A legal hold, and the events between which it was in force. */
interface Hold {
  readonly event: EvidenceHeld;
  liftedAt: number;
}

interface Deletion {
  /** Of the event, which is recorded before anything is deleted. */
  readonly seq: number;
  /** By rule: the last record that it applies to. */
  readonly throughSeq: number;
  /** Redacted ones. */
  readonly hashes: ReadonlySet<string>;
}

export type HeldCall = Pick<ToolCallStarted, 'task_id' | 'session_id' | 'tool_name' | 'timestamp'>;

export interface Explanation {
  readonly by: 'rule' | 'redaction' | 'nothing';
  /** With `nothing`: the hold that was in force at each deletion which reaches the content. */
  readonly hold?: EvidenceHeld | undefined;
}

export class HoldCheck {
  readonly #holds: Hold[] = [];
  readonly #deletions: Deletion[] = [];
  readonly #lanes = new Map<string, string>();
  /** Calls that are not over, if there are legal holds. */
  readonly #open = new Map<string, HeldCall>();

  /** Must be called for each event, in order. */
  noteEvent(event: KernelEvent): void {
    const {seq} = event;
    if (event.type === 'task_created') this.#lanes.set(event.task_id, event.lane_id);
    if (event.type === 'evidence_held') this.#holds.push({event, liftedAt: Number.POSITIVE_INFINITY});
    if (event.type === 'evidence_hold_lifted') {
      for (const hold of this.#holds) if (hold.event.hold_id === event.hold_id) hold.liftedAt = seq;
    }
    if (event.type === 'evidence_expired') {
      this.#deletions.push({seq, throughSeq: event.through_seq, hashes: new Set()});
    }
    if (event.type === 'evidence_redacted') {
      this.#deletions.push({seq, throughSeq: 0, hashes: new Set(event.hashes)});
    }
  }

  noteCall(started: ToolCallStarted): HeldCall {
    if (this.#holds.length > 0) this.#open.set(started.receipt_id, started);
    return started;
  }

  /** The call of its last record. */
  endCall(receiptId: string): HeldCall | undefined {
    const call = this.#open.get(receiptId);
    this.#open.delete(receiptId);
    return call;
  }

  /** Why a content that a record refers to can be gone. */
  explain(hash: string, seq: number, call: HeldCall | undefined): Explanation {
    const holds = call === undefined ? [] : this.#holds.filter(({event}) => this.#covers(event.covers, call));
    let held: EvidenceHeld | undefined;
    let byRule = false;
    for (const {seq: at, throughSeq, hashes} of this.#deletions) {
      const isRedacted = hashes.has(hash);
      if (!isRedacted && seq > throughSeq) continue;
      const hold = holds.find(({event, liftedAt}) => event.seq < at && at < liftedAt);
      held ??= hold?.event;
      if (hold === undefined && isRedacted) return {by: 'redaction'};
      byRule ||= hold === undefined;
    }
    if (byRule) return {by: 'rule'};
    return {by: 'nothing', hold: held};
  }

  #covers({task_id, session_id, tool_name, lane_id, since, until}: HeldCalls, call: HeldCall): boolean {
    const at = Date.parse(call.timestamp);
    return (
      (task_id === undefined || task_id === call.task_id) &&
      (session_id === undefined || session_id === call.session_id) &&
      (tool_name === undefined || tool_name === call.tool_name) &&
      (lane_id === undefined || lane_id === this.#lanes.get(call.task_id)) &&
      (since === undefined || at >= Date.parse(since)) &&
      (until === undefined || at <= Date.parse(until))
    );
  }
}
