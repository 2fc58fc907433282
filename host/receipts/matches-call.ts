// The filters of the feed of calls. The server searches the log with them, and the page applies them to calls as they arrive.
import type {EvidenceRecord} from '@lumenflow/schemas';
import {matchesWords} from '../text/matches-words.ts';
import {decisionOfCall} from './decision-of-call.ts';

export const callOutcomes = ['success', 'denied', 'approval_required', 'failed', 'open'] as const;
export type CallOutcome = (typeof callOutcomes)[number];

export interface CallSearch {
  /** Words. Each must be a part of the name of tool, lane, task or caller. */
  readonly text?: string;
  readonly outcome?: CallOutcome;
  /** Leaves out this caller's calls, except calls that did not succeed. */
  readonly without_by?: string;
}

interface Call {
  readonly started: Extract<EvidenceRecord, {type: 'tool_call_started'}>;
  readonly finished?: Extract<EvidenceRecord, {type: 'tool_call_finished'}>;
}

export function outcomeOfCall({finished}: Call): CallOutcome {
  if (!finished) return 'open';
  const decision = decisionOfCall(finished);
  if (decision !== 'allow') return decision === 'deny' ? 'denied' : decision;
  return finished.result === 'success' ? 'success' : 'failed';
}

export function matchesCall(call: Call, {text = '', outcome}: CallSearch): boolean {
  const {tool_name, lane_id, task_id, by} = call.started;
  if (outcome !== undefined && outcomeOfCall(call) !== outcome) return false;
  return matchesWords(text, [tool_name, lane_id, task_id, by]);
}

export function isLeftOut(call: Call, {without_by}: CallSearch): boolean {
  if (without_by === undefined || call.started.by !== without_by) return false;
  return ['success', 'open'].includes(outcomeOfCall(call));
}
