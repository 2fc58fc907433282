// Renders tools with the policy decision for each, without arguments.
import type {GovernedTool, RegisteredTool} from '@lumenflow/kernel';
import {renderTable} from './render-table.ts';
import {paintOf} from './style.ts';

export interface ToolRow {
  readonly name: string;
  readonly permission: string;
  readonly decision: string;
  readonly description: string;
  readonly pack: string;
}

/** Sorts all tools by name. Calls of ungoverned tools are denied. */
export function toolRows(tools: Iterable<RegisteredTool>, governed: readonly GovernedTool[]): readonly ToolRow[] {
  const decisions = new Map(governed.map(({tool, decision}) => [tool.name, decision]));
  return [...tools].toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((tool) => rowOf(tool, decisions.get(tool.name)));
}

function rowOf({name, declaration, pack}: RegisteredTool, decision: GovernedTool['decision'] | undefined): ToolRow {
  const {permission, description} = declaration;
  const unseen = declaration.internal_only === true ? 'internal' : 'deny';
  return {name, permission, decision: decision ?? unseen, description, pack: pack.manifest.id};
}

export function renderTools(tools: readonly ToolRow[], style: Parameters<typeof renderTable>[2]): string {
  return renderTable(
    tools,
    [
      {title: 'TOOL', cell: (row) => row.name, shrinksTo: 20, paint: () => style.bold},
      {title: 'DOES', cell: (row) => row.permission, paint: (row) => paintOf(style, row.permission)},
      {
        title: 'DECISION',
        cell: (row) => row.decision.replace('approval_required', 'approval'),
        paint: (row) => paintOf(style, row.decision),
      },
      {title: 'DESCRIPTION', cell: (row) => row.description, shrinksTo: 16},
    ],
    style,
  );
}
