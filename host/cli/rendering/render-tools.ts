// Renders tools with the policy decision for each, without arguments.
import type {CompiledLane, GovernedTool, RegisteredTool} from '@lumenflow/kernel';
import {renderTable} from './render-table.ts';
import {paintOf} from './style.ts';

export interface ToolRow {
  readonly name: string;
  readonly permission: string;
  readonly decision: string;
  readonly description: string;
  readonly pack: string;
}

/** Sorts all tools by name. Calls of ungoverned tools that the lane offers are denied. */
export function toolRows(
  tools: Iterable<RegisteredTool>,
  governed: readonly GovernedTool[],
  lane: Pick<CompiledLane, 'offers'> | undefined,
): readonly ToolRow[] {
  const decisions = new Map<string, string>(governed.map(({tool, decision}) => [tool.name, decision]));
  return [...tools]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((tool) => rowOf(tool, decisions.get(tool.name) ?? unseen(tool, lane)));
}

function unseen(tool: RegisteredTool, lane: Pick<CompiledLane, 'offers'> | undefined): string {
  if (tool.declaration.internal_only === true) return 'internal';
  return lane?.offers(tool) === false ? 'unlisted' : 'deny';
}

function rowOf({name, declaration, pack}: RegisteredTool, decision: string): ToolRow {
  const {permission, description} = declaration;
  return {name, permission, decision, description, pack: pack.manifest.id};
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
