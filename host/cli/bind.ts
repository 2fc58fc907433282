// How the tree of commands hands an action to what runs it.
import type {Command} from './command.ts';

/** Makes commander's action of a command that is loaded when it runs. */
export type Bind = <Options extends object>(
  load: () => Promise<Command<Options>>,
) => (...args: unknown[]) => Promise<void>;
