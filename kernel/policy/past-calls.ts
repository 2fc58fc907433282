// What a session or a task did before a call, as conditions look at it.
import type {Permission} from '@lumenflow/schemas';

/** A call that was admitted. */
export interface PastCall {
  readonly receipt_id: string;
  readonly tool_name: string;
  readonly permission: Permission;
  readonly succeeded: boolean;
  /** Positions in the evidence log; without an end, it may still run. */
  readonly started_seq: number;
  readonly finished_seq?: number | undefined;
  /** Undefined if it is not known, or if no rule asks for it. */
  readonly input?: {readonly value: unknown} | undefined;
  /** The calls that led to it. */
  readonly callers: readonly string[];
}

export interface PastCalls {
  readonly calls: readonly PastCall[];
  /** Whether there are no earlier ones. */
  readonly isWhole: boolean;
}

export type History = Readonly<Record<'session' | 'task', PastCalls>>;
