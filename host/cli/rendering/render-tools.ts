// Renders tools with the policy decision for each, without arguments.
import type {CompiledLane, GovernedTool, RegisteredTool} from '@lumenflow/kernel';
import {renderTable} from './render-table.ts';
import {paintOf} from './style.ts';

export interface ToolRow {
  readonly name: string;
  readonly permission: string;
  readonly decision: string;
  /** Whether agents are offered the tool. */
  readonly offered: boolean;
  readonly description: string;
  readonly pack: string;
}

/** What keeps a tool from agents, apart from policy. */
export interface Offer {
  readonly withheld: ReadonlyMap<string, string>;
  readonly lane?: Pick<CompiledLane, 'offers'> | undefined;
}

/** Sorts all tools by name. Calls of ungoverned tools that agents are offered are denied. */
export function toolRows(
  tools: Iterable<RegisteredTool>,
  governed: readonly GovernedTool[],
  {withheld, lane}: Offer = {withheld: new Map()},
): readonly ToolRow[] {
  const decisions = new Map(governed.map(({tool, decision}) => [tool.name, decision]));
  return [...tools]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((tool) => {
      const offered = !withheld.has(tool.name) && lane?.offers(tool) !== false;
      return rowOf(tool, decisions.get(tool.name), offered);
    });
}

function rowOf(
  {name, declaration, pack}: RegisteredTool,
  decision: GovernedTool['decision'] | undefined,
  offered: boolean,
): ToolRow {
  const {permission, description} = declaration;
  const unseen = declaration.internal_only === true ? 'internal' : 'deny';
  return {name, permission, decision: decision ?? unseen, offered, description, pack: pack.manifest.id};
}

export function renderTools(tools: readonly ToolRow[], style: Parameters<typeof renderTable>[2]): string {
  return renderTable(
    tools,
    [
      {title: 'TOOL', cell: (row) => row.name, shrinksTo: 20, paint: () => style.bold},
      {title: 'DOES', cell: (row) => row.permission, paint: (row) => paintOf(style, row.permission)},
      {
        title: 'DECISION',
        cell: (row) => `${row.decision.replace('approval_required', 'approval')}${row.offered ? '' : ', people only'}`,
        paint: (row) => paintOf(style, row.decision),
      },
      {title: 'DESCRIPTION', cell: (row) => row.description, shrinksTo: 16},
    ],
    style,
  );
}
