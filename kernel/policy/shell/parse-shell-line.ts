// Parses a command line of a POSIX shell or bash: which commands it names, with which words, and what else it uses. It reads a small,
// strict part of the language. All else is a failure, because a rule must not rely on a guess.
import {createShellReader, type ShellReader} from './shell-reader.ts';
import {readShellWord, type ReadWord} from './read-shell-word.ts';
import {
  ShellSyntaxFailure,
  wordEnds,
  type ShellAssignment,
  type ShellConstruct,
  type ShellReading,
  type ShellWord,
} from './shell-reading.ts';

export interface ShellLine {
  /** With those in substitutions and groups, in no particular order. */
  readonly commands: readonly (readonly ShellWord[])[];
  readonly assignments: readonly ShellAssignment[];
  readonly uses: ReadonlySet<ShellConstruct>;
}

const lengthMax = 32_768;
const depthMax = 16;
/** Shells disagree about what separates words, or read a backslash after a continued line in a way of their own. */
const clear = /^[ -[\]-~]*$/;
const unclear = /\\\n\\|[^\P{Cc}\t\n]|\p{Cf}|\p{Cs}|[\p{Z}](?<! )/u;
/** What follows a command; the empty text is the end of the line. */
const commandEnds: ReadonlySet<string> = new Set(['', '\n', ';', '&', '|', ')']);
const reserved: ReadonlySet<string> = new Set(
  '! [[ ]] case coproc do done elif else esac fi for function if in select then time until while { }'.split(' '),
);
const blanks: ReadonlySet<string> = new Set([' ', '\t', '\n']);
const assigning: ReadonlySet<string> = new Set(['declare', 'export', 'local', 'readonly', 'typeset']);
const redirectStarts: ReadonlySet<string> = new Set(['<', '>', '&']);
/** Separators of commands by their first characters, longest first, and what they are uses of. */
type Separator = readonly [text: string, use: ShellConstruct];
const separators: ReadonlyMap<string, readonly Separator[]> = new Map([
  ['&', [['&&', 'list'] as const, ['&', 'background'] as const]],
  ['|', [['||', 'list'] as const, ['|', 'pipe'] as const]],
  [';', [[';', 'list'] as const]],
  ['\n', [['\n', 'list'] as const]],
]);

/** Undefined if it cannot be parsed. */
export function parseShellLine(text: string): ShellLine | undefined {
  if (text.length > lengthMax || (!clear.test(text) && unclear.test(text))) return undefined;
  const reading: ShellReading = {
    reader: createShellReader(text),
    commands: [],
    assignments: [],
    uses: new Set(),
    depth: 0,
    readSubstitution: (inner) => readCommands(inner, ')'),
  };
  try {
    readCommands(reading, '');
    return reading;
  } catch (error) {
    if (error instanceof ShellSyntaxFailure) return undefined;
    throw error;
  }
}

/** Reads commands up to `end`, a closing character, or to the end of the text. */
function readCommands(outer: ShellReading, end: string): void {
  const {reader, commands, assignments, uses, readSubstitution} = outer;
  // A property that follows a spread is slow in Node 20.
  const reading = {reader, commands, assignments, uses, readSubstitution, depth: outer.depth + 1};
  if (reading.depth > depthMax) throw new ShellSyntaxFailure('too deep');
  let mayEnd = end === '';
  skipBlankLines(reader);
  for (;;) {
    skipBlanks(reader);
    if (reader.peek() === end && mayEnd) {
      reader.next();
      return;
    }
    if (reader.peek() === '(') readGroup(reading);
    else readCommand(reading);
    mayEnd = true;
    skipBlanks(reader);
    if (reader.peek() === end) continue;
    const separator = separators.get(reader.peek())?.find(([separatorText]) => reader.skip(separatorText));
    if (separator === undefined) throw new ShellSyntaxFailure('expected the end of a command');
    const [written, use] = separator;
    uses.add(use);
    // After these, a command may be missing.
    mayEnd = use === 'background' || written === ';' || written === '\n';
    if (written !== ';' && written !== '&') skipBlankLines(reader);
  }
}

function readGroup(reading: ShellReading): void {
  reading.reader.next();
  reading.uses.add('group');
  if (reading.reader.peek() === '(') throw new ShellSyntaxFailure('arithmetic');
  readCommands(reading, ')');
  skipBlanks(reading.reader);
  while (readRedirect(reading)) skipBlanks(reading.reader);
}

function readCommand(reading: ShellReading): void {
  const {reader, commands} = reading;
  const words: ShellWord[] = [];
  let isEmpty = true;
  for (;;) {
    skipBlanks(reader);
    if (readRedirect(reading)) {
      isEmpty = false;
      continue;
    }
    const read = readShellWord(reading);
    if (read === undefined) break;
    isEmpty = false;
    const {word, bare} = read;
    if ((bare.includes('=') || word === undefined) && readAssignment(reading, words, read)) continue;
    if (words.length === 0 && reserved.has(bare)) throw new ShellSyntaxFailure('reserved word');
    // Digits before a redirect are the number of a file.
    if (redirectStarts.has(reader.peek()) && /^\d+$/u.test(bare) && reader.peek() !== '&') {
      // Some shells read one digit at most.
      if (bare.length > 1) throw new ShellSyntaxFailure('number of a file');
      continue;
    }
    words.push(word);
  }
  if (isEmpty) throw new ShellSyntaxFailure('expected a command');
  if (words.length > 0) commands.push(words);
}

/** Whether the word is not one of the command. */
function readAssignment(
  {uses, assignments}: ShellReading,
  words: readonly ShellWord[],
  {word, bare}: ReadWord,
): boolean {
  const isBefore = words.length === 0;
  if (!isBefore && !assigning.has(words[0] ?? '')) return false;
  const [start, name] = /^([A-Za-z_]\w*)\+?=/u.exec(bare) ?? [];
  if (start === undefined || name === undefined) {
    // `export $X` can assign to any variable.
    if (!isBefore && word === undefined) assignments.push({name: undefined, value: undefined});
    return false;
  }
  assignments.push({name, value: word?.slice(start.length)});
  if (isBefore) uses.add('assignment');
  return isBefore;
}

/** False if there is none. */
function readRedirect(reading: ShellReading): boolean {
  const {reader, uses} = reading;
  // Most words are not redirects, and rules look at every call.
  if (!redirectStarts.has(reader.peek())) return false;
  if (reader.skip('<<')) throw new ShellSyntaxFailure('text follows');
  if (reader.skip('<(') || reader.skip('>(')) throw new ShellSyntaxFailure('process substitution');
  if (reader.skip('&>')) return readBothOutputs(reading);
  const operator = ['>>', '>|', '>&', '<>', '<&', '>', '<'].find((text) => reader.skip(text));
  if (operator === undefined) return false;
  skipBlanks(reader);
  // Bash ends the operator `>&-` here, also after blanks, so that what follows is a word of the command; other shells read one word.
  const isCopying = operator.length > 1 && operator.endsWith('&');
  if (isCopying && reader.peek() === '-') {
    reader.next();
    if (!wordEnds.has(reader.peek())) throw new ShellSyntaxFailure('closed file');
    return true;
  }
  if (!isHarmlessTarget(reading, isCopying)) uses.add('redirect');
  return true;
}

/** `&>` and `&>>`. In a POSIX shell, `&` ends the command there, so that words after the file are another command. */
function readBothOutputs(reading: ShellReading): true {
  const {reader, uses} = reading;
  reader.skip('>');
  skipBlanks(reader);
  if (!isHarmlessTarget(reading, false)) uses.add('redirect');
  uses.add('background');
  skipBlanks(reader);
  while (readRedirect(reading)) skipBlanks(reader);
  if (!commandEnds.has(reader.peek())) throw new ShellSyntaxFailure('words after the file of `&>`');
  return true;
}

/** Reads the file of a redirect: whether it is another file's number, or /dev/null. */
function isHarmlessTarget(reading: ShellReading, isCopying: boolean): boolean {
  const target = readShellWord(reading);
  if (target === undefined) throw new ShellSyntaxFailure('expected a file');
  const {word} = target;
  if (!isCopying) return word === '/dev/null';
  // Bash expands what it has expanded again, so that quotes do not keep a substitution from running.
  if (word === undefined || /[$`]/u.test(word)) throw new ShellSyntaxFailure('expanded twice');
  return word === '/dev/null' || /^(?:\d+|-)$/u.test(word);
}

function skipBlanks(reader: ShellReader): void {
  while (reader.peek() === ' ' || reader.peek() === '\t') reader.next();
}

function skipBlankLines(reader: ShellReader): void {
  while (blanks.has(reader.peek())) reader.next();
}
