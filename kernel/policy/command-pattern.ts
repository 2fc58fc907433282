// A pattern of a command, such as `git push` or `npm run *`: its words, in order.
//
// In doubt, a rule errs on the safe side. A restricting rule finds the words in this order, with any other words in between, so that
// `git -C dir push --force` is a `git push`. For an allowing rule the command has these words and no others, unless the pattern ends with `**`.
import type {PolicyCompilerPorts} from './policy-compiler-ports.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import {programName} from './shell/program-name.ts';
import type {ShellWord} from './shell/shell-reading.ts';

export interface CommandPattern {
  certainly(words: readonly string[]): boolean;
  possibly(words: readonly ShellWord[]): boolean;
  /** Whether it may begin at one of the words. */
  possiblyIn(words: readonly ShellWord[]): boolean;
}

type WordTest = (word: string) => boolean;

export function compileCommandPattern(
  pattern: string,
  compileRegex: PolicyCompilerPorts['compileRegex'],
): Outcome<CommandPattern, string> {
  const texts = pattern.split(' ');
  const isOpen = texts.at(-1) === '**';
  if (isOpen) texts.pop();
  if (
    texts.length === 0 ||
    texts.some((text) => text === '' || text.includes('**') || /[\s'"\\$`|&;<>(){}[\]]/u.test(text))
  ) {
    return failed('write words with one space between them, for example `git push` or `npm run *`, without quotes');
  }
  const tests: WordTest[] = [];
  for (const text of texts) {
    const test = compileWord(text, compileRegex);
    if (!test.ok) return test;
    tests.push(test.value);
  }
  const [name = '', ...others] = texts;
  const named = compileWord(name.toLowerCase(), compileRegex);
  if (!named.ok) return named;
  const possibly = possiblyOf(named.value, tests.slice(1), others.length);
  return ok({certainly, possibly, possiblyIn});

  function possiblyIn(words: readonly ShellWord[]): boolean {
    // What comes first has the most words after it.
    const first = words.findIndex((word) => word !== undefined && possibly([word, undefined]));
    return first !== -1 && possibly(words.slice(first));
  }

  function certainly(words: readonly string[]): boolean {
    const fits = isOpen ? words.length >= tests.length : words.length === tests.length;
    return fits && tests.every((test, index) => test(words[index] ?? ''));
  }
}

function possiblyOf(isName: WordTest, others: readonly WordTest[], count: number): CommandPattern['possibly'] {
  return ([first, ...words]) => {
    if (first !== undefined && !isName(programName(first)) && !isName(first.toLowerCase())) return false;
    if (first === undefined) return true;
    let found = 0;
    for (const word of words) {
      // It may become any number of words.
      if (word === undefined) return true;
      if (others[found]?.(word) === true) found += 1;
    }
    return found === count;
  };
}

function compileWord(text: string, compileRegex: PolicyCompilerPorts['compileRegex']): Outcome<WordTest, string> {
  if (!/[*?]/u.test(text)) return ok((word) => word === text);
  const source = text
    .replaceAll(/[.+^]/gu, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const regex = compileRegex(`(?s)^${source}$`);
  return regex.ok ? ok((word) => regex.value.test(word)) : failed(regex.problem);
}
