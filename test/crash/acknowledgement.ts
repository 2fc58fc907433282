// What was reported to a caller is recorded: it must survive every crash.
export type Acknowledgement =
  | {readonly kind: 'call'; readonly receipt_id: string; readonly tool: string; readonly result: CallEnd}
  | {readonly kind: 'created'; readonly task_id: string}
  | {readonly kind: 'claimed'; readonly task_id: string; readonly run_id: string}
  | {readonly kind: 'done'; readonly task_id: string};

export type CallEnd = 'success' | 'failure' | 'denied';

/** What was reported to a caller as not done. */
export interface RefusedTransition {
  readonly kind: 'created' | 'claimed' | 'done';
  readonly task_id: string;
}
