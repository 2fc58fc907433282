// Renders backlog.md and status.md, an overview of all work units for people who read the repository. The same log always renders
// the same bytes, so the files contain no rendering time.
import type {WorkUnit, WuStatus} from '../work-units/work-unit.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';
import type {ViewState} from './view-slice.ts';

export interface RenderedView {
  /** Relative to the spec directory. */
  readonly name: 'backlog.md' | 'status.md';
  readonly text: string;
}

const notice =
  '<!-- Rendered from the delivery log by backlog:render, and never read back: edit work units instead. -->';

const headings: Readonly<Record<WuStatus, string>> = {
  in_progress: 'In progress',
  blocked: 'Blocked',
  ready: 'Ready',
  done: 'Done',
};

export function renderViews(state: WorkUnits, view: ViewState): readonly RenderedView[] {
  const units = Object.values(state.units);
  return [
    {name: 'backlog.md', text: renderBacklog(units, view)},
    {name: 'status.md', text: renderStatus(units)},
  ];
}

function renderBacklog(units: readonly WorkUnit[], {done_before: doneBefore = ''}: ViewState): string {
  const sections = statuses.map((status) => {
    const all = unitsOf(units, status);
    const shown = status === 'done' ? all.filter(({since}) => since >= doneBefore) : all;
    const left = all.length - shown.length;
    const rows = shown.map(({spec, since, blocked_reason: reason = ''}) =>
      row([spec.id, spec.title, spec.lane, spec.priority, day(since), ...(status === 'blocked' ? [reason] : [])]),
    );
    const head = ['WU', 'Title', 'Lane', 'Priority', 'Since', ...(status === 'blocked' ? ['Reason'] : [])];
    return [
      `## ${headings[status]} (${all.length})`,
      rows.length === 0 ? 'None.' : [row(head), row(head.map(() => '---')), ...rows].join('\n'),
      ...(left === 0 ? [] : [`${left} done before ${day(doneBefore)} are omitted.`]),
    ].join('\n\n');
  });
  return page('Backlog', sections);
}

function renderStatus(units: readonly WorkUnit[]): string {
  const lanes = [...new Set(units.map(({spec}) => spec.lane))].toSorted();
  const count = (lane: string, status: WuStatus): string =>
    String(units.filter((unit) => unit.spec.lane === lane && unit.status === status).length);
  const table = [
    row(['Lane', ...statuses.map((status) => headings[status])]),
    row(['---', ...statuses.map(() => '---:')]),
    ...lanes.map((lane) => row([lane, ...statuses.map((status) => count(lane, status))])),
  ].join('\n');
  const working = unitsOf(units, 'in_progress').map(
    ({spec, since, branch}) =>
      `- ${spec.id} ${escaped(spec.title)}, in lane ${spec.lane} since ${day(since)}${branch === undefined ? '' : `, on \`${branch}\``}`,
  );
  const done = unitsOf(units, 'done')
    .slice(0, 10)
    .map(({spec, since}) => `- ${spec.id} ${escaped(spec.title)}, ${day(since)}`);
  return page('Status', [
    lanes.length === 0 ? 'There are no work units.' : table,
    `## In progress\n\n${working.join('\n') || 'None.'}`,
    `## Done last\n\n${done.join('\n') || 'None.'}`,
  ]);
}

const statuses: readonly WuStatus[] = ['in_progress', 'blocked', 'ready', 'done'];

/** Open work by priority, then age; finished work newest first. */
function unitsOf(units: readonly WorkUnit[], status: WuStatus): readonly WorkUnit[] {
  const found = units.filter((unit) => unit.status === status);
  if (status === 'done') return found.toSorted((a, b) => compare(b.since, a.since));
  return found.toSorted((a, b) => compare(a.spec.priority, b.spec.priority) || compare(a.created_at, b.created_at));
}

function page(title: string, sections: readonly string[]): string {
  return `# ${title}\n\n${notice}\n\n${sections.join('\n\n')}\n`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(escaped).join(' | ')} |`;
}

/** Prevents table separators and tags in a title from taking effect. */
function escaped(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

function day(at: string): string {
  return at.slice(0, 10);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
