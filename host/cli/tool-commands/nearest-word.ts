// Finds the word that was probably meant: a misspelling, a part of a longer name, or an abbreviation.
import {nearestName} from '@lumenflow/kernel';

const prefixMin = 3;

/** `token` means `lease-token`, and `docs` means `documentation`, if no other word fits as well. */
export function nearestWord(text: string, words: readonly string[]): string | undefined {
  const near = nearestName(text, words);
  if (near !== undefined) return near;
  const parts = words.filter((word) => word.split(/[-.]/u).includes(text));
  if (parts.length > 0) return parts.length === 1 ? parts[0] : undefined;
  const length = Math.max(prefixMin, text.length - 1);
  const begun = words.filter((word) => text.length >= prefixMin && word.startsWith(text.slice(0, length)));
  return begun.length === 1 ? begun[0] : undefined;
}
