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

/** The findings about one line. It is filled in place because rules inspect every call. */
interface Finding {
  readonly commands: (readonly ShellWord[])[];
  readonly mentioned: (readonly ShellWord[])[];
  uses: ReadonlySet<ShellConstruct>;
  isOpen: boolean;
}

/** The depth of a line within the words of others, and the number of joined lines around it. */
interface Place {
  readonly depth: number;
  readonly joins: number;
}

/** Of a line as it is given to a shell; undefined is a line that cannot be parsed. */
export function possibleCommands(line: ShellLine | undefined): PossibleCommands {
  const found: Finding = {commands: [], mentioned: [], uses: line?.uses ?? new Set(), isOpen: false};
  addLine(found, line, {depth: 0, joins: 0});
  return found;
}

function addLine(found: Finding, line: ShellLine | undefined, place: Place): void {
  if (line === undefined || place.depth > depthMax) {
    found.isOpen = true;
    return;
  }
  if (line.uses !== found.uses && line.uses.size > 0) found.uses = new Set([...found.uses, ...line.uses]);
  for (const command of line.commands) addCommand(found, command, place);
  for (const assignment of line.assignments) addAssignment(found, assignment, place);
}

function addText(found: Finding, text: string, {depth, joins}: Place, joinsMore = 0): void {
  addLine(found, parseShellLine(text), {depth: depth + 1, joins: joins + joinsMore});
}

function addAssignment(found: Finding, assignment: ShellAssignment, place: Place): void {
  const {value} = assignment;
  if (value !== undefined) found.mentioned.push(mentionedWords([value]));
  const read = codeOfAssignment(assignment);
  if (read === undefined) return;
  if (read.code === undefined) found.isOpen = true;
  else addText(found, read.code, place);
}

function addCommand(found: Finding, command: readonly ShellWord[], place: Place): void {
  if (place.depth > depthMax) {
    found.isOpen = true;
    return;
  }
  const name = command[0] === undefined ? undefined : programName(command[0]);
  if (name !== undefined && (runners.has(name) || isShell(name))) {
    addRunner(found, name, command, place);
    return;
  }
  // `git-push` is `git push`.
  if (name?.startsWith('git-') === true && /^git-.+$/u.test(name)) {
    addCommand(found, ['git', name.slice(4), ...command.slice(1)], place);
    return;
  }
  found.commands.push(command);
  if (mayRunAnything(command)) found.isOpen = true;
  if (name === undefined || inertPrograms.has(name)) return;
  found.mentioned.push(mentionedWords(command, 1));
  for (let at = 1; at + 1 < command.length; at += 1) {
    if (isRunnerAt(command, at)) addCommand(found, command.slice(at), {depth: place.depth + 1, joins: place.joins});
  }
}

/** Among the words of a program that is not known: `PROGRAM sh -c CODE`. */
function isRunnerAt(command: readonly ShellWord[], at: number): boolean {
  const word = command[at];
  const next = command[at + 1];
  return word !== undefined && (next === undefined || next.startsWith('-')) && isRunner(programName(word));
}

function addRunner(found: Finding, name: string, command: readonly ShellWord[], place: Place): void {
  const supplied = command.length > wordsMax ? undefined : supplyWords(command);
  const code = supplied && codeInWords(supplied.words, place.joins);
  if (supplied === undefined || code === undefined) {
    found.isOpen = true;
    return;
  }
  const {words} = supplied;
  // `.` is also a directory, and only builtins run the builtin of this name.
  const mayBegin = (word: ShellWord, index: number): boolean =>
    supplied.mayBegin(index) && (index === 0 || word !== '.' || builtinRunners.has(name));
  const commands = words.flatMap((word, index) => [
    ...(mayBegin(word, index) ? [words.slice(index)] : []),
    ...valuesIn(word).map((value) => [value, ...words.slice(index + 1)]),
  ]);
  found.commands.push(...commands);
  if (commands.some(mayRunAnything)) found.isOpen = true;
  for (const text of code.lines) addText(found, text, place);
  for (const text of code.joined) addText(found, text, place, 1);
  for (const word of words) {
    const [, variable, value] = word?.includes('=') === true ? (/^([A-Za-z_]\w*)=([^]*)$/u.exec(word) ?? []) : [];
    if (variable !== undefined) addAssignment(found, {name: variable, value}, place);
  }
}
