// `redact` of a rule: patterns whose matches are replaced in what a tool returns.
import type {PolicyRule} from '@lumenflow/schemas';
import type {LoadedRule} from './located-rule.ts';
import type {MatcherSite} from './matcher-site.ts';
import {withRequiredText} from './required-text.ts';

/** Replaces what matches. */
export type Redaction = (text: string) => string;

export function compileRedaction(rule: PolicyRule | LoadedRule, site: MatcherSite): Redaction | undefined {
  const {trigger, decision, id} = rule;
  const redact = 'redact' in rule ? rule.redact : undefined;
  const isOfResults = trigger === 'on_tool_result';
  if (!isOfResults && redact === undefined) return undefined;
  if (!isOfResults || (redact === undefined ? decision !== 'deny' : decision !== 'allow')) {
    const help = 'write `decision: deny` to withhold it, or `decision: allow` with `redact`';
    const message = isOfResults
      ? 'a rule of on_tool_result withholds a result or redacts it'
      : '`redact` has a meaning only in a rule of on_tool_result';
    site.reject(redact === undefined ? '/decision' : '/redact', 'POLICY_REDACTION_INVALID', message, help);
    return undefined;
  }
  const parts = [redact ?? []].flat().map((source, index): Redaction => {
    const at = Array.isArray(redact) ? `/redact/${index}` : '/redact';
    const regex = site.compileRegex(source);
    const problem = regex.ok ? (regex.value.test('') ? 'it matches the empty text' : undefined) : regex.problem;
    if (!regex.ok || problem !== undefined) {
      const help = 'use RE2 syntax, for example `AKIA[0-9A-Z]{16}`';
      site.reject(at, 'POLICY_REDACTION_INVALID', `\`${source}\` cannot be redacted: ${problem ?? ''}`, help);
      return (text) => text;
    }
    const {replaceAll} = withRequiredText(regex.value, source);
    return (text) => replaceAll(text, `[redacted: ${id}]`);
  });
  return redact === undefined ? undefined : (text) => parts.reduce((whole, part) => part(whole), text);
}
