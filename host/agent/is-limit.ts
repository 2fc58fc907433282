// Whether a call was refused because the session's limits are used up.
import type {ToolOutput} from '@lumenflow/schemas';

/** The rules of limits, or the turn's own check of those that are lowered. */
export function isLimit(error: ToolOutput['error']): boolean {
  const {rule_id: rule, limit} = error?.details ?? {};
  return String(rule).startsWith('agent-runtime.limit.') || String(limit).startsWith('max_');
}
