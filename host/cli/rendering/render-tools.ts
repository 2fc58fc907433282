// Renders tools with the policy decision for each, without arguments.
import type {CompiledLane, CompiledWorkspace, GovernedTool, RegisteredTool} from '@lumenflow/kernel';
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
  readonly withheld: CompiledWorkspace['withheld'];
  readonly lane?: Pick<CompiledLane, 'offers'> | undefined;
}

/** Sorts all tools by name. Calls of ungoverned tools that the lane lists are denied. */
export function toolRows(
  tools: Iterable<RegisteredTool>,
  governed: readonly GovernedTool[],
  {withheld, lane}: Offer = {withheld: new Map()},
): readonly ToolRow[] {
  const decisions = new Map(governed.map(({tool, decision}) => [tool.name, decision]));
  return [...tools]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((tool) => {
      const {name, declaration, pack} = tool;
      const {permission, description} = declaration;
      const isListed = lane?.offers(tool) !== false;
      const decision = decisions.get(name) ?? unseen(declaration, isListed);
      const offered = isListed && !withheld.has(name);
      return {name, permission, decision, offered, description, pack: pack.manifest.id};
    });
}

function unseen({internal_only}: RegisteredTool['declaration'], isListed: boolean): string {
  if (internal_only === true) return 'internal';
  return isListed ? 'deny' : 'unlisted';
}

function decisionText({decision, offered}: ToolRow): string {
  const isForPeople = !offered && decision !== 'unlisted' && decision !== 'internal';
  return `${decision.replace('approval_required', 'approval')}${isForPeople ? ', people only' : ''}`;
}

export function renderTools(tools: readonly ToolRow[], style: Parameters<typeof renderTable>[2]): string {
  return renderTable(
    tools,
    [
      {title: 'TOOL', cell: (row) => row.name, shrinksTo: 20, paint: () => style.bold},
      {title: 'DOES', cell: (row) => row.permission, paint: (row) => paintOf(style, row.permission)},
      {
        title: 'DECISION',
        cell: decisionText,
        paint: (row) => paintOf(style, row.decision),
      },
      {title: 'DESCRIPTION', cell: (row) => row.description, shrinksTo: 16},
    ],
    style,
  );
}
