// The parts of a server's prompt that clients see.
import {plainText} from './plain-text.ts';

export interface PromptDefinition {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {readonly name: string; readonly description: string; readonly required: boolean}[];
}

const argumentsMax = 50;
const argumentName = /^[A-Za-z][\w.-]{0,63}$/u;

interface ServerPrompt {
  readonly name: string;
  readonly description?: string | undefined;
  readonly arguments?:
    | readonly {name: string; description?: string | undefined; required?: boolean | undefined}[]
    | undefined;
}

/** Undefined for a prompt with arguments that no input can have. */
export function promptDefinitionOf(prompt: ServerPrompt): PromptDefinition | undefined {
  const {name, description = '', arguments: args = []} = prompt;
  if (args.length > argumentsMax || args.some((argument) => !argumentName.test(argument.name))) return undefined;
  return {
    name,
    description: plainText(description),
    arguments: args.map((argument) => ({
      name: argument.name,
      description: plainText(argument.description ?? ''),
      required: argument.required === true,
    })),
  };
}
