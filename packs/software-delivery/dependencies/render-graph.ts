// Renders the dependency graph as a plain-text tree, a table, or a mermaid flow chart.
export interface GraphNode {
  readonly id: string;
  readonly title: string;
  readonly status: 'ready' | 'in_progress' | 'blocked' | 'done' | 'unknown';
  /** Ids that it depends on. */
  readonly depends_on: readonly string[];
}

const marks: Readonly<Record<GraphNode['status'], string>> = {
  ready: '[ ]',
  in_progress: '[>]',
  blocked: '[!]',
  done: '[x]',
  unknown: '[?]',
};
const titleMax = 60;

export function renderTable(nodes: readonly GraphNode[]): string {
  const rows = [
    ['id', 'status', 'depends on', 'title'],
    ...nodes.map(({id, status, depends_on: dependencies, title}) => [
      id,
      status,
      dependencies.join(' ') || '-',
      cut(title),
    ]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Dependents are above their dependencies. A unit that was already shown is only named. */
export function renderAscii(nodes: readonly GraphNode[]): string {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const awaited = new Set(nodes.flatMap(({depends_on: dependencies}) => dependencies));
  const lines: string[] = [];
  const shown = new Set<string>();
  // Uses its own stack, because a chain can be longer than the call stack allows.
  const open = nodes
    .filter(({id}) => !awaited.has(id))
    .map(({id}) => ({id, indent: '', branch: ''}))
    .toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const {id, indent, branch} = next;
    const {
      status,
      title,
      depends_on: dependencies,
    } = byId.get(id) ?? {status: 'unknown' as const, title: '', depends_on: []};
    const again = shown.has(id);
    lines.push(`${indent}${branch}${marks[status]} ${id} ${again ? '(see above)' : cut(title)}`.trimEnd());
    if (again) continue;
    shown.add(id);
    const deeper = branch === '' ? indent : `${indent}${branch === '`- ' ? '   ' : '|  '}`;
    const last = dependencies.length - 1;
    open.push(
      ...dependencies
        .map((each, index) => ({id: each, indent: deeper, branch: index === last ? '`- ' : '|- '}))
        .toReversed(),
    );
  }
  return lines.join('\n');
}

export function renderMermaid(nodes: readonly GraphNode[]): string {
  const name = (id: string): string => id.replaceAll('-', '_');
  return [
    'graph LR',
    ...nodes.map(({id, title, status}) => `  ${name(id)}["${id}: ${escapeMermaid(cut(title))}"]:::${status}`),
    ...nodes.flatMap(({id, depends_on: dependencies}) => dependencies.map((each) => `  ${name(each)} --> ${name(id)}`)),
    '  classDef done fill:#d3f0d8',
    '  classDef in_progress fill:#d6e6fb',
    '  classDef blocked fill:#fbd9d3',
  ].join('\n');
}

function escapeMermaid(text: string): string {
  return text.replaceAll('&', '#amp;').replaceAll('"', '#quot;').replaceAll('<', '#lt;').replaceAll('>', '#gt;');
}

function cut(title: string): string {
  return title.length > titleMax ? `${title.slice(0, titleMax - 1)}…` : title;
}
