// Events that a session's loop emits while it works, for a terminal, a page or a log.
import type {ToolOutput} from '@lumenflow/schemas';
import type {RequestedTool, SessionOutcome, TurnData} from '@lumenflow/schemas/agent-session';

export type AgentEvent =
  | {readonly type: 'turn_started'; readonly turn_index: number}
  /** Streamed text of the model. */
  | {readonly type: 'text'; readonly turn_index: number; readonly text: string}
  | {readonly type: 'turn_finished'; readonly turn_index: number; readonly turn: TurnData; readonly receipt_id: string}
  | {readonly type: 'call_started'; readonly call: RequestedTool}
  /** The tool's progress report. */
  | {readonly type: 'call_progress'; readonly call: RequestedTool; readonly payload: unknown}
  | {readonly type: 'call_finished'; readonly call: RequestedTool; readonly output: ToolOutput}
  | {readonly type: 'approval_required'; readonly call: RequestedTool; readonly request_id: string}
  /** The outcome is unknown: a person must settle it. */
  | {
      readonly type: 'call_ambiguous';
      readonly call: RequestedTool;
      readonly turn_index: number;
      readonly receipt_id: string;
    };

export interface AgentLoopResult {
  /** `waiting`: for approvals. `interrupted`: by its caller; it can be resumed. */
  readonly status: 'ended' | 'waiting' | 'interrupted';
  readonly outcome?: SessionOutcome;
  /** The model's last message, or the error. */
  readonly message?: string;
  readonly turns: number;
  /** The call that a person must settle, as `<turn>/<call>`, which is the form that resuming accepts. Turns count from 0. */
  readonly ambiguous_call?: string;
  /** The approval requests that it waits for. */
  readonly approvals?: readonly string[];
}
