// Judges the outcome of a call. Its output and the receipt contain only what rules of on_tool_result leave.
import type {ObservedPolicy, PolicyDecision, ToolOutput} from '@lumenflow/schemas';
import {tryCanonicalJson} from '../evidence/index.ts';
import type {PolicyResult} from '../policy/index.ts';
import type {AdmittedCall} from './call.ts';
import type {CheckedOutcome} from './check-output.ts';
import {decidingRule} from './deny-by-policy.ts';
import type {ResultJudge} from './result-judge.ts';

export interface JudgedOutcome extends CheckedOutcome {
  readonly policy_decisions?: readonly PolicyDecision[] | undefined;
  readonly observed?: ObservedPolicy | undefined;
}

/** A result that is withheld fails the call, so that its changes are discarded. */
export function judgeResult(
  call: AdmittedCall,
  outcome: CheckedOutcome,
  judge: ResultJudge | undefined,
): JudgedOutcome {
  if (judge === undefined) return outcome;
  const {dispatched, log, children, carried} = outcome;
  const {success, data, error, metadata} = dispatched.output;
  const {parts, result, decisions} = judge([data, error?.message, error?.details, metadata]);
  const judged = {log, children, carried, policy_decisions: decisions, observed: result.observed};
  if (parts === undefined) return {...judged, dispatched: {...dispatched, output: withheld(call, result)}};
  const [seen, message, details, notes] = parts;
  const written = success && data !== undefined ? tryCanonicalJson(seen) : undefined;
  const output = {
    success,
    ...(data !== undefined && {data: seen}),
    ...(error && {error: {...error, message, ...(details !== undefined && {details})}}),
    ...(metadata && {metadata: notes}),
  } as ToolOutput;
  return {...judged, dispatched: {...dispatched, output}, ...(written?.ok && {text: written.value})};
}

function withheld({tool}: AdmittedCall, result: PolicyResult): ToolOutput {
  const {reason} = result.deciding;
  const message = `\`${tool.name}\` ran, but policy withholds its result${reason === undefined ? '' : `: ${reason}`}`;
  return {success: false, error: {code: 'POLICY_DENIED', message, details: {...decidingRule(result), ran: true}}};
}
