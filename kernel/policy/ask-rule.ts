// Asks one rule whether it applies to a request. Any answer other than a clear yes or no counts as deny.
import {cutText} from '../cut-text.ts';
import type {CompiledRule} from './compiled-layer.ts';
import type {PolicyRequest} from './policy-request.ts';
import type {LayerDecision} from './layer-decision.ts';

/**
 * A `when` that cannot be relied on; its message is the reason of the deny. Thrown, because any value that a pack's function returns
 * has a meaning already.
 */
export class WhenFailure extends Error {}

/** The rule's statement when it applies, a deny in its name when its `when` fails, undefined when it does not apply. */
export function askRule(rule: CompiledRule, request: PolicyRequest): LayerDecision | undefined {
  if (rule.when === undefined) return rule.statement;
  let answer: unknown;
  try {
    answer = rule.when(request);
  } catch (thrown) {
    return failed(rule, thrown instanceof WhenFailure ? thrown.message : `\`when\` threw: ${describeThrown(thrown)}`);
  }
  if (answer === true) return rule.statement;
  return answer === false ? undefined : failed(rule, `\`when\` answered with ${nameOfType(answer)}, not a boolean`);
}

function failed(rule: CompiledRule, failure: string): LayerDecision {
  const {said} = rule.statement;
  return {
    ...rule.statement,
    said: {...said, decision: 'deny', reason: `${failure}: this counts as deny`},
    self_approval: false,
    failed: true,
  };
}

function nameOfType(value: unknown): string {
  if (value instanceof Promise) return 'a promise';
  return value === null ? 'null' : typeof value;
}

/** A pack may throw anything, even what cannot be printed. */
function describeThrown(thrown: unknown): string {
  try {
    return cutText(String(thrown), 200);
  } catch {
    return 'a value that cannot be printed';
  }
}
