// `lumenflow code types`: TypeScript types of the tools that code can call.
import {codeTypes as typesOf} from '../../authoring/code-types.ts';
import {listingContextOf} from '../call-commands/listing-context.ts';
import type {Command} from '../command.ts';
import {typesUnavailable} from '../failures/types-unavailable.ts';
import {supposedActor} from '../sign-in/acting-person.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly lane?: string;
  readonly task?: string;
}

export const codeTypes: Command<Options> = async (context, _words, options) =>
  await withHost(context, async (host) => {
    const {by} = await supposedActor(context, host, undefined);
    const {context: asked} = await listingContextOf(host, {...options, by});
    const tools = await host.runtime.listGovernedTools(asked);
    const text = await typesOf(tools.map(({tool}) => tool.declaration)).catch(typesUnavailable);
    return {data: {types: text}, text: () => text.trimEnd()};
  });
