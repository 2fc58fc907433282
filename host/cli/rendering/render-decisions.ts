// Renders the decisions of rules with their layer, reason and location.
import type {PolicyDecision} from '@lumenflow/schemas';
import {cleanText} from './clean-text.ts';
import {wrapText} from './render-fields.ts';
import {paintOf, type Style} from './style.ts';

export function renderDecisions(decisions: readonly PolicyDecision[], style: Style, indent = 0): string {
  const lead = ' '.repeat(indent);
  return decisions
    .map(({decision, layer, rule_id, reason, where, warning}) => {
      const head = `${lead}${paintOf(style, decision)(decision)}  ${style.bold(cleanText(rule_id))} ${style.dim(`layer ${layer}`)}`;
      const reported = [reason, where, warning]
        .flatMap((text) => (text === undefined ? [] : [cleanText(text)]))
        .join('\n');
      if (reported === '') return head;
      const lines = wrapText(reported, style.width - indent - 4).split('\n');
      return [head, ...lines.map((line) => `${lead}    ${style.dim(line)}`)].join('\n');
    })
    .join('\n');
}
