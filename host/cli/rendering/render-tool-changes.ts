// Renders new, changed and removed tools of a pack, line by line as `diff` shows them.
import {stringify} from 'yaml';
import type {ToolChange} from '../../packs/lock/review-tools.ts';
import {cleanText} from './clean-text.ts';
import {firstSentence} from '../../text/first-sentence.ts';
import {renderTable, type Column} from './render-table.ts';
import type {Style} from './style.ts';

/** All that a person approves. */
export function renderToolChanges(changes: readonly ToolChange[], style: Style): string {
  if (changes.length === 0) return '';
  return [style.bold(summaryOf(changes)), ...changes.map((change) => renderChange(change, style))].join('\n\n');
}

/** The same with one line for each new tool, because a new pack can have a hundred. */
export function renderNewTools(changes: readonly ToolChange[], style: Style): string {
  const added = changes.filter(({kind}) => kind === 'added');
  const others = changes.filter(({kind}) => kind !== 'added');
  if (added.length === 0) return renderToolChanges(others, style);
  const columns: readonly Column<ToolChange>[] = [
    {title: 'NEW TOOL', cell: ({tool}) => tool},
    {title: 'DOES', cell: ({found}) => found?.permission ?? ''},
    {title: 'DESCRIPTION', cell: ({found}) => firstSentence(found?.description ?? ''), shrinksTo: 20},
  ];
  const table = renderTable(added, columns, style);
  return [style.bold(summaryOf(changes)), table, ...others.map((change) => renderChange(change, style))].join('\n\n');
}

/** What a reader looks for first, for example `14 added: 5 read, 9 write; 1 with network`. */
function summaryOf(changes: readonly ToolChange[]): string {
  const count = <T>(values: readonly T[], valueOf: (value: T) => string): string => {
    const names = values.map(valueOf);
    return [...new Set(names)].map((name) => `${names.filter((other) => other === name).length} ${name}`).join(', ');
  };
  const found = changes.flatMap((change) => change.found ?? []);
  const online = found.filter(({required_scopes = []}) => required_scopes.some(({type}) => type === 'network')).length;
  const parts = [
    count(changes, ({kind}) => kind),
    ...(found.length > 0 ? [count(found, ({permission}) => permission)] : []),
  ];
  return `${parts.join(': ')}; ${online === 0 ? 'none' : online} with network`;
}

function renderChange({tool, kind, terms, approved, found}: ToolChange, style: Style): string {
  const paint = kind === 'added' ? style.warning : kind === 'changed' ? style.warning : style.dim;
  const head = `${style.bold(cleanText(tool))}  ${paint(kind)}`;
  const lines = terms.flatMap((term) => [
    `  ${style.accent(term)}`,
    ...differingLines(linesOf(approved?.[term], style), linesOf(found?.[term], style)).map(([mark, line]) => {
      const colour = mark === '-' ? style.bad : mark === '+' ? style.good : style.dim;
      return `  ${colour(`${mark} ${line}`)}`;
    }),
  ]);
  return [head, ...lines].join('\n');
}

function linesOf(term: unknown, {width}: Style): readonly string[] {
  if (term === undefined) return [];
  const text = stringify(term, {lineWidth: width - 6, aliasDuplicateObjects: false});
  return cleanText(text).trimEnd().split('\n');
}

/** Shows three lines of a common prefix and suffix; between them all old lines, then all new ones. */
function differingLines(
  before: readonly string[],
  after: readonly string[],
): readonly (readonly [mark: ' ' | '-' | '+', line: string])[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = (line: string): readonly [' ', string] => [' ', line];
  return [
    ...after.slice(Math.max(0, start - 3), start).map(same),
    ...before.slice(start, before.length - end).map((line) => ['-', line] as const),
    ...after.slice(start, after.length - end).map((line) => ['+', line] as const),
    ...after.slice(after.length - end, after.length - end + 3).map(same),
  ];
}
