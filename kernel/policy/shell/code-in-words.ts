// Words of a command that are code: a shell, or a program that splits its words as a shell does, reads them again.
import {evaluators, isShell, joiners} from './command-runners.ts';
import {programName} from './program-name.ts';
import type {ShellWord} from './shell-reading.ts';

export interface CodeInWords {
  readonly lines: readonly string[];
  /** Lines that words become when a program joins them. */
  readonly joined: readonly string[];
}

/** Of how many characters joined lines may be, by how many lines around them are joined, too. Others may be anything. */
const joinedMax: readonly number[] = [16_384, 4_096];

/** The lines that a command runs, as far as its words are known; undefined if they may be anything. */
export function codeInWords(words: readonly ShellWord[], joins: number): CodeInWords | undefined {
  const names = words.map((word) => (word === undefined ? '' : programName(word)));
  const expands = names.some((name) => isShell(name) || evaluators.has(name));
  const lines = [...words, ...words.flatMap(valuesIn)].flatMap((word) =>
    word !== undefined && isCode(word, expands) ? [word] : [],
  );
  const first = names.findIndex((name) => joiners.has(name) || name === 'env');
  if (lines.length === 0 || first === -1) return {lines, joined: []};
  const splits = names.includes('env') && words.some((word) => /^(?:-[A-Za-z0-9]*S|--s)/u.test(word ?? ''));
  // `env -S` has escapes of its own.
  if (splits && lines.some((word) => word.includes('\\'))) return undefined;
  if (!splits && !names.some((name) => joiners.has(name))) return {lines, joined: []};
  const joined = joinedLines(words.slice(first + 1), joinedMax[joins] ?? 0);
  return joined && {lines, joined};
}

/** `eval git ' push'`, `env -S 'git -C x' push`: each word may be the first one of the joined line. */
function joinedLines(words: readonly ShellWord[], lengthMax: number): readonly string[] | undefined {
  const lines: string[] = [];
  let rest = '';
  let total = 0;
  for (const word of words.toReversed()) {
    if (word === undefined) return undefined;
    for (const first of [word, ...valuesIn(word)]) {
      lines.push(rest === '' ? first : `${first} ${rest}`);
      total += first.length + rest.length;
    }
    if (total > lengthMax) return undefined;
    rest = rest === '' ? word : `${word} ${rest}`;
  }
  return lines;
}

/** Values written in the word of an option: `--split-string=VALUE`, `-SVALUE`. */
export function valuesIn(word: ShellWord): readonly string[] {
  const [, long] = /^--[\w-]+=([^]+)$/u.exec(word ?? '') ?? [];
  if (long !== undefined) return [long];
  const [letters = ''] = /^-[0-9A-Za-z]+/u.exec(word ?? '') ?? [];
  const ends = ['c', 'S', 'e', 'x', 'X'].map((letter) => letters.indexOf(letter) + 1).filter((end) => end > 0);
  return ends.flatMap((end) => word?.slice(end) || []);
}

/** A word of more than one word, as it is given to `sh -c`. `{}` and `;` belong to `find -exec`. */
function isCode(word: string, expands: boolean): boolean {
  return word !== '{}' && word !== ';' && (/[\s;&|<>$`(){}'"\\]/u.test(word) || (expands && /[*?[\]~]/u.test(word)));
}
