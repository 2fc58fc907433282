// `lumenflow tools list`: lists the tools with the policy decision for each, without arguments.
import type {Command} from '../command.ts';
import {renderTools, toolRows} from '../rendering/render-tools.ts';
import {listingContextOf} from '../calls/listing-context.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly lane?: string;
  readonly task?: string;
  readonly all?: boolean;
}

export const toolsList: Command<Options> = async (context, _args, options) =>
  await withHost(context, async (host) => {
    const {context: asked, lane} = await listingContextOf(host, options);
    const governed = await host.runtime.listGovernedTools(asked);
    const all = toolRows(host.runtime.workspace.tools.values(), governed, lane);
    const tools = all.filter(
      ({decision}) => options.all === true || !['deny', 'internal', 'unlisted'].includes(decision),
    );
    const hidden = all.length - tools.length;
    return {
      data: {tools},
      text: () => (tools.length === 0 ? '' : renderTools(tools, context.style)),
      note: () => noteOf(tools.length, hidden, context.errorStyle.dim),
    };
  });

function noteOf(shown: number, hidden: number, dim: (text: string) => string): string {
  if (shown === 0 && hidden === 0) return dim('no tools: pin a pack under `packs:` in workspace.yaml');
  const more = hidden === 0 ? '' : `, ${hidden} more denied, internal or unlisted (--all)`;
  return dim(
    `${shown} ${shown === 1 ? 'tool' : 'tools'}${more}\ndetails: lumenflow tools show NAME; tools of a domain: lumenflow DOMAIN`,
  );
}
