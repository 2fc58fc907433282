// What a command line may run, as far as its words show: also commands that other commands are asked to run.
import {codeInWords, valuesIn} from './code-in-words.ts';
import {codeOfAssignment} from './code-of-assignment.ts';
import {builtinRunners, isRunner, isShell, runners} from './command-runners.ts';
import {inertPrograms} from './inert-programs.ts';
import {mayRunAnything} from './may-run-anything.ts';
import {mentionedWords} from './mentioned-words.ts';
import {parseShellLine, type ShellLine} from './parse-shell-line.ts';
import {programName} from './program-name.ts';
import type {ShellAssignment, ShellConstruct, ShellWord} from './shell-reading.ts';
import {supplyWords} from './supply-words.ts';

export interface PossibleCommands {
  readonly commands: readonly (readonly ShellWord[])[];
  /** Words in order, at any of which a command may begin. */
  readonly mentioned: readonly (readonly ShellWord[])[];
  readonly uses: ReadonlySet<ShellConstruct>;
  /** It may run anything. */
  readonly isOpen: boolean;
}

const depthMax = 8;
/** Each word of a runner may begin a command: of more words, anything is possible. */
const wordsMax = 200;

const anything: PossibleCommands = {commands: [], mentioned: [], uses: new Set(), isOpen: true};

/** Of a line as it is given to a shell; undefined is a line that cannot be parsed. */
export function possibleCommands(line: ShellLine | undefined, depth = 0, joins = 0): PossibleCommands {
  if (line === undefined || depth > depthMax) return anything;
  const parts = line.commands.map((command) => possibleOf(command, depth, joins));
  for (const assignment of line.assignments) parts.push(possibleOfAssignment(assignment, depth, joins));
  const {commands, mentioned, uses, isOpen} = together(parts);
  return {commands, mentioned, isOpen, uses: new Set([...line.uses, ...uses])};
}

function together(parts: readonly PossibleCommands[]): PossibleCommands {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return {
    commands: parts.flatMap(({commands}) => commands),
    mentioned: parts.flatMap(({mentioned}) => mentioned),
    uses: new Set(parts.flatMap(({uses}) => [...uses])),
    isOpen: parts.some(({isOpen}) => isOpen),
  };
}

function possibleOfAssignment(assignment: ShellAssignment, depth: number, joins: number): PossibleCommands {
  const {value} = assignment;
  const mentioned = value === undefined ? [] : [mentionedWords([value])];
  const read = codeOfAssignment(assignment);
  const own: PossibleCommands = {commands: [], mentioned, uses: new Set(), isOpen: false};
  if (read === undefined) return own;
  const line = read.code === undefined ? undefined : parseShellLine(read.code);
  return together([own, possibleCommands(line, depth + 1, joins)]);
}

function possibleOf(command: readonly ShellWord[], depth: number, joins: number): PossibleCommands {
  const name = command[0] === undefined ? undefined : programName(command[0]);
  const uses: PossibleCommands['uses'] = new Set();
  if (depth > depthMax) return anything;
  if (name !== undefined && (runners.has(name) || isShell(name))) return possibleOfRunner(name, command, depth, joins);
  const isOpen = mayRunAnything(command);
  // `git-push` is `git push`.
  const [, git] = /^git-(.+)$/u.exec(name ?? '') ?? [];
  if (git !== undefined) return possibleOf(['git', git, ...command.slice(1)], depth, joins);
  const own: PossibleCommands = {commands: [command], mentioned: [], uses, isOpen};
  if (name === undefined || inertPrograms.has(name)) return own;
  const inner = runnersIn(command).map((words) => possibleOf(words, depth + 1, joins));
  return together([{...own, mentioned: [mentionedWords(command.slice(1))]}, ...inner]);
}

/** Among the words of a program that is not known: `PROGRAM sh -c CODE`. */
function runnersIn(command: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  return command.flatMap((word, index) => {
    if (index === 0 || word === undefined || !isRunner(programName(word)) || index + 1 === command.length) return [];
    const next = command[index + 1];
    return next === undefined || next.startsWith('-') ? [command.slice(index)] : [];
  });
}

function possibleOfRunner(name: string, command: readonly ShellWord[], depth: number, joins: number): PossibleCommands {
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
  const code = codeInWords(words, joins);
  if (code === undefined) return anything;
  const inner = [
    ...code.lines.map((text) => possibleCommands(parseShellLine(text), depth + 1, joins)),
    ...code.joined.map((text) => possibleCommands(parseShellLine(text), depth + 1, joins + 1)),
  ];
  const assigned = words.flatMap((word) => {
    const [, variable, value] = /^([A-Za-z_]\w*)=([^]*)$/u.exec(word ?? '') ?? [];
    return variable === undefined ? [] : [possibleOfAssignment({name: variable, value}, depth, joins)];
  });
  const isOpen = commands.some(mayRunAnything);
  return together([{commands, mentioned: [], uses: new Set(), isOpen}, ...inner, ...assigned]);
}
