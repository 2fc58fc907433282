// What a pin allows a tool of a server or an operation of a service. Their names come from outside and can be names such as
// `constructor`, which every object inherits: a pin names only its own.
import type {PackPin} from '@lumenflow/schemas';

type PinnedTools = NonNullable<PackPin['tools']>;

/** `name`: as the server or the service writes it. Undefined if the pin does not name it. */
export function pinnedTool({tools = {}}: Pick<PackPin, 'tools'>, name: string): PinnedTools[string] {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}
