// Renders the brief of a work unit for its holder: what to do, where, and under which rules.
import type {Gate} from '../gates/plan-gates.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import type {WuSpec, WuTests} from '../work-units/wu-spec.ts';

export interface BriefParts {
  readonly spec: WuSpec;
  readonly unit: WorkUnit;
  readonly gates: readonly Gate[];
  /** Markdown from memory. */
  readonly memory?: string;
}

export function renderBrief({spec, unit, gates, memory}: BriefParts): string {
  const sections = [
    `# ${spec.id}: ${spec.title}`,
    facts(spec, unit),
    section('Why and what', spec.description.trim()),
    section('Acceptance', list(spec.acceptance, '- [ ] ')),
    section('Files you may change', list(spec.code_paths.map(code)) || 'None: this work unit changes no code.'),
    section('Tests', testLines(spec.tests)),
    section('Read first', list((spec.spec_refs ?? []).map(code))),
    section('Gates', gateLines(gates)),
    section('Rules', list(rules(spec, unit))),
    memory === undefined ? '' : section('Memory', memory.trim()),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

function facts(spec: WuSpec, unit: WorkUnit): string {
  const {lane, type, priority, exposure, risk, initiative, phase, depends_on: dependencies} = spec;
  const pairs: readonly (readonly [string, string | undefined])[] = [
    ['Lane', lane],
    ['Type', type],
    ['Priority', priority],
    ['Status', unit.status],
    ['Exposure', exposure],
    ['Risk', risk],
    [
      'Initiative',
      initiative === undefined ? undefined : `${initiative}${phase === undefined ? '' : `, phase ${phase}`}`,
    ],
    ['Depends on', dependencies?.join(', ')],
    ['Worktree', unit.worktree],
    ['Branch', unit.branch],
    ['Spec', `SHA-256 ${unit.spec_hash}`],
  ];
  return list(pairs.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`])));
}

function rules({id}: WuSpec, {lease}: WorkUnit): readonly string[] {
  const held =
    lease === undefined
      ? ''
      : `, which is ${lease.token} and lasts until ${lease.expires_at} and is renewed by each call here`;
  return [
    'Paths of file, git and gates tools are relative to the worktree; you must not change anything outside it.',
    `\`wu:prep\`, \`wu:done\`, \`wu:block\` and \`wu:release\` need your lease token${held}.`,
    `When the acceptance criteria are met: commit, \`wu:prep\` with id ${id}, then \`wu:done\`. LumenFlow rejects the completion until every gate has passed on this exact tree.`,
    'Blocked or unsure: `wu:block` or `wu:escalate` with the reason. Do not work around it.',
  ];
}

function testLines(tests: WuTests | undefined): string {
  return list(
    Object.entries(tests ?? {}).flatMap(([kind, each]: [string, readonly string[]]) =>
      each.map((test) => `${kind}: ${test}`),
    ),
  );
}

function gateLines(gates: readonly Gate[]): string {
  if (gates.length === 0) return 'None is configured. `wu:done` fails until there is one.';
  return list(gates.map(({name, command, optional}) => `${name}${optional ? ' (optional)' : ''}: ${code(command)}`));
}

function section(title: string, text: string): string {
  return text === '' ? '' : `## ${title}\n\n${text}`;
}

function list(items: readonly string[], bullet = '- '): string {
  return items.map((item) => bullet + item.replaceAll('\n', '\n  ')).join('\n');
}

function code(text: string): string {
  return text.includes('`') ? text : `\`${text}\``;
}
