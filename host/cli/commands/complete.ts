// `lumenflow complete`: prints the candidates at the cursor for a shell, one per line.
import type {Command} from '../command.ts';
import {cleanLine} from '../rendering/clean-text.ts';
import {completeWords, type CommandTree, type Suggestion} from '../tool-commands/complete-words.ts';
import {declaredTools} from '../tool-commands/declared-tools.ts';
import {firstSentence} from '../../text/first-sentence.ts';
import {namedThings} from '../tool-commands/named-things.ts';

export function complete(tree: CommandTree): Command {
  return async (context, words) => {
    const {suggestions, names} = completeWords(words, tree, await orNone(() => declaredTools(context)));
    const things = names === undefined ? [] : await orNone(() => namedThings(context, names));
    const known = things.filter(({value}) => value.startsWith(words.at(-1) ?? ''));
    return {
      data: {suggestions: [...known, ...suggestions]},
      text: () => [...known, ...suggestions].map(line).join('\n'),
    };
  };
}

function line({value, description}: Suggestion): string {
  return `${value}\t${firstSentence(cleanLine(description))}`;
}

/** Completion hides errors: the command itself reports them. Outside a workspace, only built-in commands are completed. */
async function orNone<T>(list: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await list();
  } catch {
    // See above.
    return [];
  }
}
