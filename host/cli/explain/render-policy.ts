// Renders the policy for a call, claim or completion: the deciding rule, each layer, and what would change the decision.
import type {PolicyExplanation} from '@lumenflow/kernel';
import type {CountedUse} from '@lumenflow/schemas';
import {cleanText} from '../rendering/clean-text.ts';
import {renderDecisions} from '../rendering/render-decisions.ts';
import {renderFields, wrapText} from '../rendering/render-fields.ts';
import {paintOf, type Style} from '../rendering/style.ts';

export function renderPolicy(
  {
    held_by,
    trace,
    would_change,
    observed,
    counted = [],
  }: Pick<PolicyExplanation, 'held_by' | 'trace' | 'would_change' | 'observed' | 'counted'>,
  style: Style,
): readonly string[] {
  const changes = would_change.map((change) => bullet(change, style));
  return [
    ...part('DECIDED BY', [renderDecisions(held_by, style, 2)], style),
    ...part('LAYER BY LAYER', [renderTrace(trace, style)], style),
    ...part(`OBSERVED: WITH THESE RULES, ${observed?.decision ?? ''}`, observedLines(observed, style), style),
    ...part('LIMITS', counted.map(limitLine), style),
    ...part('WHAT WOULD CHANGE IT', changes, style),
  ];
}

function limitLine({rule_id, used, at_most: max, of}: CountedUse): string {
  return `  ${cleanText(rule_id)}: ${used} of ${max} used by ${cleanText(of)}`;
}

function observedLines(observed: PolicyExplanation['observed'], style: Style): readonly string[] {
  return observed === undefined ? [] : [renderDecisions(observed.rules, style, 2)];
}

/** Renders nothing if there are no lines. */
export function part(title: string, lines: readonly string[], style: Style): readonly string[] {
  return lines.length === 0 ? [] : ['', style.dim(title), ...lines];
}

export function bullet(text: string, style: Style): string {
  return `  - ${wrapText(cleanText(text), style.width - 4).replaceAll('\n', '\n    ')}`;
}

function renderTrace(trace: PolicyExplanation['trace'], style: Style): string {
  return renderFields(
    trace.map(({layer, decisions, rejected, decision}) => {
      const rules = decisions.map((said) => {
        const where = said.where === undefined ? '' : ` ${style.dim(cleanText(said.where))}`;
        const lost = rejected.includes(said) ? style.warning(' (without effect: an earlier decision is stricter)') : '';
        return `${paintOf(style, said.decision)(said.decision)} by ${cleanText(said.rule_id)}${where}${lost}`;
      });
      const then = `${style.dim('so far:')} ${paintOf(style, decision)(decision)}`;
      return [`  ${layer}`, rules.length === 0 ? style.dim('no matching rule') : [...rules, then].join('\n')] as const;
    }),
    style,
  );
}
