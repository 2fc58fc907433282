// `lumenflow search`: finds tools by what they do, best match first.
import type {Permission, ToolSummary} from '@lumenflow/schemas';
import {createDiscovery, createToolCatalogue} from '../../exec/index.ts';
import {counted} from '../../text/counted.ts';
import {listingContextOf} from '../call-commands/listing-context.ts';
import type {Command} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {renderTable} from '../rendering/render-table.ts';
import {paintOf, type Style} from '../rendering/style.ts';
import {supposedActor} from '../sign-in/acting-person.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly lane?: string;
  readonly task?: string;
  readonly namespace?: string;
  readonly permission?: Permission;
  readonly limit: string;
}

export const search: Command<Options> = async (context, words, options) => {
  const limit = limitOf(options.limit);
  return await withHost(context, async (host) => {
    const {by} = await supposedActor(context, host, undefined);
    const {context: asked} = await listingContextOf(host, {...options, by});
    const {runtime} = host;
    const discovery = createDiscovery(createToolCatalogue(runtime), (among) => runtime.listGovernedTools(asked, among));
    const {namespace, permission} = options;
    const tools = await discovery.searchTools(words.join(' '), {limit, namespace, permission});
    return {
      data: {tools},
      text: () => (tools.length === 0 ? '' : render(tools, context.style)),
      note: () => context.errorStyle.dim(noteOf(tools.length)),
    };
  });
};

function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return limit;
  throw new CliError('INVALID_ARGUMENT', `\`${text}\` is not a number of tools`, {help: 'use a number from 1 to 100'});
}

function noteOf(found: number): string {
  if (found === 0) return 'no tool has these words: lumenflow tools list prints all tools';
  return `${counted(found, 'tool')}, best match first\ndetails: lumenflow tools show NAME`;
}

function render(tools: readonly ToolSummary[], style: Style): string {
  return renderTable(
    tools,
    [
      {title: 'TOOL', cell: ({id}) => id, shrinksTo: 20, paint: () => style.bold},
      {title: 'DOES', cell: ({permission}) => permission, paint: ({permission}) => paintOf(style, permission)},
      {title: 'POLICY', cell: ({policy}) => policy.replace('_', ' ')},
      {title: 'SUMMARY', cell: ({summary}) => summary, shrinksTo: 16},
    ],
    style,
  );
}
