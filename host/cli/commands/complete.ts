// `lumenflow complete`: asked by shells for what may stand at the cursor, a line each.
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

/** Outside of a workspace there are commands all the same. */
async function toolsOf(context: CliContext): ReturnType<typeof declaredTools> {
  try {
    return await declaredTools(context);
  } catch {
    // A shell has no use for what is wrong: running the command will tell.
    return [];
  }
}
