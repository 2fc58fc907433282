// `lumenflow tools list`: the tools and what would be decided about each, before any argument is known.
import type {GovernedTool, RegisteredTool} from '@lumenflow/kernel';
import type {Command} from '../command.ts';
import {renderTable} from '../rendering/render-table.ts';
import {paintOf} from '../rendering/style.ts';
import {viewpointOf} from '../viewpoint.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly lane?: string;
  readonly task?: string;
  readonly all?: boolean;
}

interface Row {
  readonly name: string;
  readonly permission: string;
  readonly decision: string;
  readonly description: string;
  readonly pack: string;
}

export const toolsList: Command<Options> = async (context, _args, options) =>
  await withHost(context, async (host) => {
    const {context: asked} = await viewpointOf(host, options);
    const governed = await host.runtime.listGovernedTools(asked);
    const decisions = new Map(governed.map((tool: GovernedTool) => [tool.tool.name, tool.decision]));
    const all = [...host.runtime.workspace.tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const tools = all
      .map((tool) => rowOf(tool, decisions.get(tool.name)))
      .filter(({decision}) => options.all === true || (decision !== 'deny' && decision !== 'internal'));
    const hidden = all.length - tools.length;
    return {
      data: {tools},
      text: () => (tools.length === 0 ? '' : render(tools, context.style)),
      note: () => noteOf(tools.length, hidden, context.errorStyle.dim),
    };
  });

function rowOf({name, declaration, pack}: RegisteredTool, decision: GovernedTool['decision'] | undefined): Row {
  const {permission, description} = declaration;
  const unseen = declaration.internal_only === true ? 'internal' : 'deny';
  return {name, permission, decision: decision ?? unseen, description, pack: pack.manifest.id};
}

function render(tools: readonly Row[], style: Parameters<typeof renderTable>[2]): string {
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

function noteOf(shown: number, hidden: number, dim: (text: string) => string): string {
  if (shown === 0 && hidden === 0) return dim('no tools: pin a pack under `packs:` in workspace.yaml');
  const more = hidden === 0 ? '' : `, ${hidden} more denied or internal (--all)`;
  return dim(`${shown} ${shown === 1 ? 'tool' : 'tools'}${more}; one in full: lumenflow tools show NAME`);
}
