// `lumenflow tools list`: lists the tools with the policy decision for each, without arguments.
import type {Command} from '../command.ts';
import {renderTools, toolRows, type ToolRow} from '../rendering/render-tools.ts';
import {listingContextOf} from '../call-commands/listing-context.ts';
import {supposedActor} from '../sign-in/acting-person.ts';
import {withHost} from '../with-host.ts';
import {counted} from '../../text/counted.ts';

interface Options {
  readonly lane?: string;
  readonly task?: string;
  readonly all?: boolean;
}

export const toolsList: Command<Options> = async (context, _args, options) =>
  await withHost(context, async (host) => {
    const {by} = await supposedActor(context, host, undefined);
    const {context: asked, lane} = await listingContextOf(host, {...options, by});
    const {workspace} = host.runtime;
    const governed = await host.runtime.listGovernedTools(asked);
    const all = toolRows(workspace.tools.values(), governed, {withheld: workspace.withheld, lane});
    const tools = all.filter((row) => options.all === true || isListed(row));
    const hidden = all.length - tools.length;
    return {
      data: {tools},
      text: () => (tools.length === 0 ? '' : renderTools(tools, context.style)),
      note: () => noteOf(tools.length, hidden, context.errorStyle.dim),
    };
  });

function isListed({decision, offered}: ToolRow): boolean {
  return offered && decision !== 'deny' && decision !== 'internal';
}

function noteOf(shown: number, hidden: number, dim: (text: string) => string): string {
  if (shown === 0 && hidden === 0) return dim('no tools: pin a pack under `packs:` in workspace.yaml');
  const more = hidden === 0 ? '' : `, ${hidden} more denied, internal or not offered to agents (--all)`;
  return dim(
    `${counted(shown, 'tool')}${more}\ndetails: lumenflow tools show NAME; tools of a domain: lumenflow DOMAIN`,
  );
}
