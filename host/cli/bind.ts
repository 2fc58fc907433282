// Connects an action of the command tree to the code that runs it.
import type {Command} from './command.ts';

/** Returns commander's action for a command that is loaded when it runs. */
export type Bind = <Options extends object>(
  load: () => Promise<Command<Options>>,
) => (...args: unknown[]) => Promise<void>;
