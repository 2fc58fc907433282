// Whether a command runs what its words alone do not show.
import {indexers, isInterpreter, isShell, shellsWithout, openers} from './command-runners.ts';
import {programName} from './program-name.ts';
import {runsByOptions} from './runs-by-options.ts';
import type {ShellWord} from './shell-reading.ts';

export function mayRunAnything(command: readonly ShellWord[]): boolean {
  const [first, ...words] = command;
  if (first === undefined) return true;
  const name = programName(first);
  if (openers.has(name) || runsByOptions(name, words)) return true;
  if (isShell(name)) return !isGivenCode(words);
  if (indexers.has(name)) return words.some((word) => word !== undefined && /\[[^]*[$`]/u.test(word));
  if (name === 'su' || name === 'runuser' || name === 'script')
    return !words.some((word) => word === undefined || /^-(?:-command|-session-command|[a-z]*c)/u.test(word));
  const needed = shellsWithout.get(name);
  if (needed !== undefined)
    return (name !== 'ssh' && name !== 'slogin' && startsShell(words)) || namedWords(words).length < needed;
  return isInterpreter(name) && interpretsCode(words);
}

/** `sudo -s`, `sudo --login`. */
function startsShell(words: readonly ShellWord[]): boolean {
  const end = words.findIndex((word) => word === undefined || !word.startsWith('-'));
  return words
    .slice(0, end === -1 ? undefined : end)
    .some((word) => /^-[A-Za-z]*[is]$|^--(?:shell|login)/u.test(word ?? ''));
}

/** Options that take no value. After each other one, a word may be its value. */
const flags = /^-[nEHSbkPABr]+$|^--/u;

function namedWords(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.filter((word, index) => {
    const before = words[index - 1];
    const isValue = before !== undefined && /^-[A-Za-z]$/u.test(before) && !flags.test(before);
    return word === undefined || !(word.startsWith('-') || isValue);
  });
}

/** `sh -c CODE`; all else is a file or its input. */
function isGivenCode(words: readonly ShellWord[]): boolean {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || !/^[-+]./u.test(word) || word === '--') return false;
    if (/^-[A-Za-z]*c/u.test(word)) return true;
    // The value of an option.
    if (/^[-+][A-Za-z]*[oO]$/u.test(word)) at += 1;
  }
  return false;
}

/** Of Python. They run code from their words or their input. */
const interactiveModules: ReadonlySet<string> = new Set(
  'asyncio cProfile code idlelib pdb profile pty runpy timeit trace'.split(' '),
);

/** From a word or from its input. A script is a file, whose content no word shows. */
function interpretsCode(words: readonly ShellWord[]): boolean {
  const isCode = (word: ShellWord): boolean =>
    word === undefined ||
    /^-(?:-eval|-print|[a-z]*[ceipr])/iu.test(word) ||
    /^(?:-|eval|inspect|repl|\/dev\/.*|\/proc\/.*)$/u.test(word) ||
    /^(?:--[a-z-]+=)?(?:data|https?):/iu.test(word);
  const module = words[words.indexOf('-m') + 1] ?? '';
  return (
    (words.includes('-m') && interactiveModules.has(module)) ||
    words.some(isCode) ||
    words.every((word) => word?.startsWith('-') === true && !/^--?v(?:ersion)?$/iu.test(word))
  );
}
