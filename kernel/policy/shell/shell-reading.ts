// What the parts of the parser of command lines share.
import type {ShellReader} from './shell-reader.ts';

export const shellConstructs = [
  'assignment',
  'background',
  'expansion',
  'group',
  'list',
  'pipe',
  'redirect',
  'substitution',
] as const;
export type ShellConstruct = (typeof shellConstructs)[number];

/** The text of a static word. Undefined if only the shell knows it, and how many words it becomes. */
export type ShellWord = string | undefined;

/** `NAME=VALUE` before a command, or after a builtin that assigns. */
export interface ShellAssignment {
  /** Undefined if only the shell knows it. */
  readonly name: ShellWord;
  readonly value: ShellWord;
}

/** What is read so far. */
export interface ShellReading {
  readonly reader: ShellReader;
  readonly commands: (readonly ShellWord[])[];
  readonly assignments: ShellAssignment[];
  readonly uses: Set<ShellConstruct>;
  /** Levels of substitutions and groups around this position. */
  readonly depth: number;
  /** Reads the commands of a substitution, to its closing parenthesis. */
  readSubstitution(reading: ShellReading): void;
}

/** The line is not in the part of the language that is read here. */
export class ShellSyntaxFailure extends Error {}

/** Characters that end a word; the empty text is the end of the line. */
export const wordEnds: ReadonlySet<string> = new Set(['', ' ', '\t', '\n', ';', '&', '|', '<', '>', ')']);
