// What the words of a program mention that is not known: it may run any part of them. Quotes and punctuation do not count, because
// programs split their options differently.
import type {ShellWord} from './shell-reading.ts';

/** A command may begin at each word that is known. */
export function mentionedWords(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.flatMap((word): readonly ShellWord[] => {
    if (word === undefined) return [undefined];
    if (/^[\w./-]*$/u.test(word)) return [word, ...valueOfShortOption(word)];
    const parts = word.replaceAll(/['"\\]/gu, '').split(/[^\w./@*?+-]+/u);
    return parts.filter((part) => part !== '').flatMap((part) => [part, ...valueOfShortOption(part)]);
  });
}

/** `-egit`. */
function valueOfShortOption(word: string): readonly string[] {
  const [, value = ''] = /^-[A-Za-z](.+)$/u.exec(word) ?? [];
  return value === '' ? [] : [value];
}
