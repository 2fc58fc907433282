// Ids of a command are checked before anything else: they become names of files and fields of the log.
import {isIdentifier} from '../names/identifier.ts';
import {fail, type TransitionResult} from '../transition.ts';

/** The failure to answer with, or undefined when all are identifiers. */
export function checkIds(ids: Readonly<Record<string, unknown>>): TransitionResult<never> | undefined {
  for (const [key, id] of Object.entries(ids)) {
    if (isIdentifier(id)) continue;
    return fail(
      'INVALID_INPUT',
      `\`${key}\` is not a valid id: use letters, digits, \`.\`, \`_\` and \`-\`, at most 128`,
      {
        key,
      },
    );
  }
  return undefined;
}
