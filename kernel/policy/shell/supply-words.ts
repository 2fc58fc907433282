// Words that a program adds to the commands that it runs, such as names of files that it found, or lines of its input. They are unknown.
import {evaluators, isShell, runners} from './command-runners.ts';
import {programName} from './program-name.ts';
import type {ShellWord} from './shell-reading.ts';

const feeders: ReadonlySet<string> = new Set(['entr', 'fd', 'find', 'xargs']);
const placeholders = /\{[/.]{0,2}\}|^\/_$/u;
const ownPlaceholder = /^-[0-9A-Za-z]*[IJ]|^-[0rtpxo]*i.|^--replace/u;
/** Options of `xargs` whose value is the next word. */
const withValue = /^-[aEdILnPs]$/u;
const beforeCommand = /^(?:-exec|-execdir|-ok|-okdir|-[xX]|--exec|--exec-batch|entr)$/u;

export interface SuppliedWords {
  readonly words: readonly ShellWord[];
  /** Whether a command may begin at a word; what is supplied is mostly an argument. */
  mayBegin(index: number): boolean;
}

/** Undefined if the program may run any command. */
export function supplyWords(command: readonly ShellWord[]): SuppliedWords | undefined {
  const names = command.map((word) => (word === undefined ? undefined : programName(word)));
  const isNamed = (name: string): boolean => names.includes(name);
  if (!names.some((name) => name !== undefined && feeders.has(name)) && !isNamed('parallel')) {
    return {words: command, mayBegin: () => true};
  }
  if (isNamed('parallel') || (isNamed('xargs') && hasOwnPlaceholder(command.slice(names.indexOf('xargs') + 1))))
    return undefined;
  const isSupplied = command.map((word) => word !== undefined && placeholders.test(word));
  const words: ShellWord[] = command.map((word, index) => (isSupplied[index] === true ? undefined : word));
  if (isNamed('xargs')) {
    words.push(undefined);
    isSupplied.push(true);
  }
  const runs = names.filter(
    (name) => name !== undefined && (runners.has(name) || isShell(name) || evaluators.has(name)),
  );
  const mayBegin = (index: number): boolean =>
    isSupplied[index] !== true || runs.length > 1 || beforeCommand.test(command[index - 1] ?? '');
  return {words, mayBegin};
}

/** Among the options of `xargs`, up to the command. */
function hasOwnPlaceholder(words: readonly ShellWord[]): boolean {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) return true;
    if (!word.startsWith('-')) return false;
    if (ownPlaceholder.test(word)) return true;
    if (withValue.test(word)) at += 1;
  }
  return false;
}
