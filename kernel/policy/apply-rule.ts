// Applies one rule to a request: whether its `when` matches and, if it has a limit, whether that is used up.
import type {CountedUse} from '@lumenflow/schemas';
import {askRule} from './ask-rule.ts';
import type {CompiledRule} from './compiled-layer.ts';
import type {LayerDecision} from './layer-decision.ts';
import type {PolicyRequest} from './policy-request.ts';

export interface AppliedRule {
  readonly statement?: LayerDecision;
  readonly counted?: CountedUse;
}

const nothing: AppliedRule = {};

export function applyRule(rule: CompiledRule, request: PolicyRequest): AppliedRule {
  const asked = askRule(rule, request);
  if (asked === undefined) return nothing;
  const statement = rule.looksAtTaint === true ? withOrigin(asked, request) : asked;
  if (rule.limit === undefined || statement.failed === true) return {statement};
  const {counted, applies, invalid = usedUp(counted)} = rule.limit.judge(request);
  return applies ? {counted, statement: withDetail(statement, invalid)} : {counted};
}

/** A person who decides must know where to look. */
function withOrigin(statement: LayerDecision, {tainted}: PolicyRequest): LayerDecision {
  const [first] = tainted?.() ?? [];
  return first === undefined
    ? statement
    : withDetail(statement, `tainted by \`${first.tool_name}\`, receipt \`${first.receipt_id}\``);
}

function usedUp({of, used, at_most: max, amount}: CountedUse): string {
  return `${used} of ${max} used by ${of}${amount === 1 ? '' : `, ${amount} more asked for`}`;
}

function withDetail(statement: LayerDecision, detail: string): LayerDecision {
  const {reason} = statement.said;
  return {...statement, said: {...statement.said, reason: reason === undefined ? detail : `${reason} (${detail})`}};
}
