// `lumenflow complete`: prints the candidates at the cursor for a shell, one per line.
import type {CliContext, Command} from '../command.ts';
import {cleanLine} from '../rendering/clean-text.ts';
import {completeWords, type CommandTree} from '../tool-commands/complete-words.ts';
import {declaredTools} from '../tool-commands/declared-tools.ts';
import {firstSentence} from '../tool-commands/first-sentence.ts';

export function complete(tree: CommandTree): Command {
  return async (context, words) => {
    const suggestions = completeWords(words, tree, await toolsOf(context));
    return {
      data: {suggestions},
      text: () =>
        suggestions.map(({value, description}) => `${value}\t${firstSentence(cleanLine(description))}`).join('\n'),
    };
  };
}

/** Outside a workspace, complete only built-in commands. */
async function toolsOf(context: CliContext): ReturnType<typeof declaredTools> {
  try {
    return await declaredTools(context);
  } catch {
    // Completion hides errors: the command itself reports them.
    return [];
  }
}
