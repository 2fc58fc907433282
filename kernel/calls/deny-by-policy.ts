// The refusal of a call that policy denies.
import type {PolicyResult} from '../policy/index.ts';
import {refuse, type DecidedCall, type Refusal} from './call.ts';

export function denyByPolicy(call: DecidedCall, result: PolicyResult): Refusal {
  const {rule_id, reason} = result.deciding;
  const message = `policy denies \`${call.tool.name}\`: ${reason ?? `rule \`${rule_id}\``}`;
  return refuse(call, 'POLICY_DENIED', message, decidingRule(result));
}

/** Details of an error: the rule that decided, and its `file:line:column`. */
export function decidingRule({deciding: {rule_id, layer, where}}: PolicyResult): Record<string, unknown> {
  return {rule_id, layer, ...(where !== undefined && {where})};
}
