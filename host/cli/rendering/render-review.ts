// Renders the rules of a workspace: a table, then the failed examples, then the rules that never match.
import type {ReviewedRule} from '@lumenflow/kernel';
import {basename} from 'node:path';
import {cleanText} from './clean-text.ts';
import {renderFields, wrapText} from './render-fields.ts';
import {renderTable} from './render-table.ts';
import {paintOf, type Style} from './style.ts';

export function renderReview(rules: readonly ReviewedRule[], style: Style): string {
  if (rules.length === 0) return 'no rules: add rules under `policies` of workspace.yaml';
  const failed = rules.flatMap((rule) => rule.examples.filter(({holds}) => !holds).map((example) => ({rule, example})));
  const idle = rules.flatMap((rule) => (rule.idle ? [{rule, idle: rule.idle}] : []));
  const narrow = rules.filter(({only_in_task_types}) => only_in_task_types !== undefined);
  return [
    renderRules(rules, style),
    ...part(
      'FAILED EXAMPLES',
      failed.map(({rule, example}) =>
        entry(style.bad('✘'), rule, style, [
          ['where', example.where],
          ['expects', `${example.expect}, but the rule returns ${example.given}`],
        ]),
      ),
      style,
    ),
    ...part(
      'RULES THAT NEVER MATCH',
      idle.map(({rule, idle: {reason, help}}) =>
        entry(style.warning('!'), rule, style, [
          ['where', rule.where],
          ['why', reason],
          ['fix', help],
        ]),
      ),
      style,
    ),
    ...part(
      'PACK RULES THAT MATCH ONLY TOOLS OF OTHER PACKS',
      narrow.map((rule) =>
        entry(style.dim('·'), rule, style, [['applies', `in tasks of type ${rule.only_in_task_types?.join(', ')}`]]),
      ),
      style,
    ),
    '',
    summaryOf(rules, style),
  ].join('\n');
}

/** Indented below their layers, which leaves room for their names. */
function renderRules(rules: readonly ReviewedRule[], style: Style): string {
  const [titles, ...lines] = renderTable(
    rules,
    [
      {title: ' ', cell: markOf, paint: (rule) => paintOf(style, markWords[markOf(rule)] ?? '')},
      {title: 'RULE', cell: ({rule_id}) => rule_id, shrinksTo: 14, paint: () => style.bold},
      {title: 'SAYS', cell: saysOf, shrinksTo: 8, paint: ({decision}) => paintOf(style, decision)},
      {title: 'EXAMPLES', cell: examplesOf},
      {title: 'WHERE', cell: ({where}) => basename(where), shrinksTo: 20, paint: () => style.dim},
    ],
    style,
  ).split('\n');
  const layers = rules.map(layerOf);
  const reported = lines.flatMap((line, index) => {
    const layer = layers[index] ?? '';
    return layer === layers[index - 1] ? [line] : [style.dim(cleanText(layer)), line];
  });
  return [titles, ...reported].join('\n');
}

const markWords: Readonly<Record<string, string>> = {'✓': 'success', '✘': 'failure', '!': 'open'};

function markOf({examples, idle}: ReviewedRule): string {
  if (examples.some(({holds}) => !holds)) return '✘';
  if (idle) return '!';
  return examples.length > 0 ? '✓' : '·';
}

function layerOf({layer, of}: ReviewedRule): string {
  return layer === 'workspace' ? layer : `${layer} ${of}`;
}

function saysOf({decision, trigger}: ReviewedRule): string {
  const word = decision.replace('approval_required', 'approval');
  return trigger === 'on_tool_request' ? word : `${word} ${trigger}`;
}

function examplesOf({form, examples}: ReviewedRule): string {
  if (form === 'function') return 'function';
  const held = examples.filter(({holds}) => holds).length;
  return examples.length === 0 ? 'none' : `${held} of ${examples.length}`;
}

function entry(mark: string, rule: ReviewedRule, style: Style, fields: readonly (readonly [string, string])[]): string {
  const head = `  ${mark} ${style.bold(cleanText(rule.rule_id))} ${style.dim(layerOf(rule))}`;
  const reported = fields.map(([name, value]) => [name, cleanText(value)] as const);
  return `${head}\n${renderFields(reported, style, 4)}`;
}

function part(title: string, entries: readonly string[], style: Style): readonly string[] {
  return entries.length === 0 ? [] : ['', style.dim(title), ...entries];
}

function summaryOf(rules: readonly ReviewedRule[], style: Style): string {
  const examples = rules.flatMap((rule) => rule.examples);
  const failed = examples.filter(({holds}) => !holds).length;
  const testable = rules.filter(({form}) => form === 'matcher');
  const covered = testable.filter((rule) => rule.examples.length > 0).length;
  const idle = rules.filter((rule) => rule.idle).length;
  const reported = [
    failed === 0
      ? `${style.good('✔')} ${examples.length} examples pass`
      : `${style.bad('✘')} ${failed} of ${examples.length} examples fail`,
    `${covered} of ${testable.length} rules have examples`,
    idle === 0 ? 'every rule can match' : `${idle} of ${rules.length} rules never match`,
  ];
  return wrapText(reported.join('; '), style.width);
}
