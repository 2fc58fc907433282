// What the words of a program mention that is not known: it may run any part of them. Quotes and punctuation do not count, because
// programs split their options differently.
import type {ShellWord} from './shell-reading.ts';

/** A command may begin at each word that is known, from the word `first` on. */
export function mentionedWords(words: readonly ShellWord[], first = 0): readonly ShellWord[] {
  const mentioned: ShellWord[] = [];
  for (let at = first; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) mentioned.push(undefined);
    else if (/^[\w./-]*$/u.test(word)) addPart(mentioned, word);
    else {
      const parts = word.replaceAll(/['"\\]/gu, '').split(/[^\w./@*?+-]+/u);
      for (const part of parts) if (part !== '') addPart(mentioned, part);
    }
  }
  return mentioned;
}

/** Also the value of a short option: `-egit`. */
function addPart(mentioned: ShellWord[], part: string): void {
  mentioned.push(part);
  if (part.length > 2 && part.startsWith('-') && /^-[A-Za-z].+$/u.test(part)) mentioned.push(part.slice(2));
}
