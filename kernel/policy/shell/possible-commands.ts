// What a command line may run, as far as its words show: also commands that other commands are asked to run.
import {builtinRunners, evaluators, runners, shells} from './command-runners.ts';
import {mayRunAnything} from './may-run-anything.ts';
import {parseShellLine, type ShellLine} from './parse-shell-line.ts';
import {programName} from './program-name.ts';
import type {ShellConstruct, ShellWord} from './shell-reading.ts';
import {supplyWords} from './supply-words.ts';

export interface PossibleCommands {
  readonly commands: readonly (readonly ShellWord[])[];
  readonly uses: ReadonlySet<ShellConstruct>;
  /** It may run anything. */
  readonly isOpen: boolean;
}

const depthMax = 8;
/** Each word of a runner may begin a command: of more words, anything is possible. */
const wordsMax = 200;

const anything: PossibleCommands = {
  commands: [],
  uses: new Set(),
  isOpen: true,
};

/** Of a line as it is given to a shell; undefined is a line that cannot be parsed. */
export function possibleCommands(line: ShellLine | undefined, depth = 0): PossibleCommands {
  if (line === undefined || depth > depthMax) return anything;
  const parts = line.commands.map((command) => possibleOf(command, depth));
  return {
    commands: parts.flatMap(({commands}) => commands),
    uses: new Set([...line.uses, ...parts.flatMap(({uses}) => [...uses])]),
    isOpen: parts.some(({isOpen}) => isOpen),
  };
}

function possibleOf(command: readonly ShellWord[], depth: number): PossibleCommands {
  const name = command[0] === undefined ? undefined : programName(command[0]);
  const runsWords = name !== undefined && (runners.has(name) || shells.has(name));
  if (!runsWords)
    return {
      commands: [command],
      uses: new Set(),
      isOpen: mayRunAnything(command),
    };
  const supplied = command.length > wordsMax ? undefined : supplyWords(command);
  if (supplied === undefined) return anything;
  const {words} = supplied;
  // `.` is also a directory, and only builtins run the builtin of this name.
  const mayBegin = (word: ShellWord, index: number): boolean =>
    supplied.mayBegin(index) && (index === 0 || word !== '.' || builtinRunners.has(name));
  const commands = words.flatMap((word, index) => [
    ...(mayBegin(word, index) ? [words.slice(index)] : []),
    ...valuesIn(word).map((value) => [value, ...words.slice(index + 1)]),
  ]);
  const expands = words.some((word) => word !== undefined && isEvaluator(programName(word)));
  const code = [...words, ...words.flatMap(valuesIn)].flatMap((word) =>
    word !== undefined && isCode(word, expands) ? [word] : [],
  );
  const inner = code.map((word) => possibleCommands(parseShellLine(word), depth + 1));
  return {
    commands: [...commands, ...inner.flatMap((part) => part.commands)],
    uses: new Set(inner.flatMap(({uses}) => [...uses])),
    isOpen: commands.some(mayRunAnything) || inner.some(({isOpen}) => isOpen),
  };
}

function isEvaluator(name: string): boolean {
  return shells.has(name) || evaluators.has(name);
}

/** Values written in the word of an option: `--split-string=VALUE`, `-SVALUE`. */
function valuesIn(word: ShellWord): readonly string[] {
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
