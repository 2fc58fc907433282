// Command lines as rules look at them. Rules of a layer ask about the same input one after another, so the last answer is kept.
import {parseShellLine, type ShellLine} from './parse-shell-line.ts';
import {possibleCommands, type PossibleCommands} from './possible-commands.ts';
import {programName} from './program-name.ts';
import type {ShellConstruct, ShellWord} from './shell-reading.ts';

export interface ShellView {
  /** All commands, if every word is certain; undefined if the line may do more than its words show. */
  readonly certain: readonly (readonly string[])[] | undefined;
  /** What it certainly uses. */
  readonly uses: ReadonlySet<ShellConstruct>;
  readonly possible: PossibleCommands;
  /** Of all programs that may run, also as they are written; undefined if it may be any. */
  readonly names: readonly string[] | undefined;
}

export interface ShellLines {
  /** Of a line for a shell, or of a list of the words of one command. */
  view(given: unknown): ShellView;
}

/** Constructs that change neither the commands nor their words. */
const harmless: ReadonlySet<ShellConstruct> = new Set(['list', 'pipe']);

export function createShellLines(): ShellLines {
  let last: {readonly given: unknown; readonly view: ShellView} | undefined;
  return {
    view(given) {
      if (last === undefined || !Object.is(last.given, given)) last = {given, view: viewOf(given)};
      return last.view;
    },
  };
}

function viewOf(given: unknown): ShellView {
  const line = typeof given === 'string' ? parseShellLine(given) : lineOfWords(given);
  const uses = line?.uses ?? new Set();
  const possible = possibleCommands(line);
  const isPlain = line !== undefined && [...uses].every((use) => harmless.has(use));
  return {
    certain: isPlain && line.commands.every(isStatic) ? (line.commands as readonly string[][]) : undefined,
    uses,
    possible,
    names: namesOf(possible),
  };
}

function namesOf({isOpen, commands, mentioned}: PossibleCommands): readonly string[] | undefined {
  if (isOpen) return undefined;
  const names: string[] = [];
  const add = (first: string): void => {
    names.push(programName(first));
    if (first.includes('/')) names.push(first.toLowerCase());
  };
  for (const [first] of commands) {
    // Each rule finds such a command.
    if (first === undefined) return undefined;
    add(first);
  }
  for (const words of mentioned) for (const word of words) if (word !== undefined) add(word);
  return names;
}

function lineOfWords(given: unknown): (ShellLine & {readonly commands: readonly (readonly string[])[]}) | undefined {
  const isWords = Array.isArray(given) && given.length > 0 && given.every((word) => typeof word === 'string');
  return isWords ? {commands: [given], assignments: [], uses: new Set()} : undefined;
}

function isStatic(words: readonly ShellWord[]): boolean {
  return words.every((word) => word !== undefined);
}
