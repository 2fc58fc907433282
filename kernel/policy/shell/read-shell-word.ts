// Reads one word of a command line. A word is static if the shell passes it on as it is read here.
import {ShellSyntaxFailure, wordEnds, type ShellReading, type ShellWord} from './shell-reading.ts';

export interface ReadWord {
  readonly word: ShellWord;
  /** What is written without quotes; NUL for each quoted character. */
  readonly bare: string;
}

/** Undefined if no word begins here. */
export function readShellWord(reading: ShellReading): ReadWord | undefined {
  const {reader, uses} = reading;
  if (wordEnds.has(reader.peek())) return undefined;
  if (reader.peek() === '#') throw new ShellSyntaxFailure('comment');
  // Most words, and rules look at every call.
  let text = reader.readPlain();
  if (text !== '' && wordEnds.has(reader.peek())) return {word: text, bare: text};
  let bare = text;
  let isStatic = true;
  const quoted = (part: string | undefined): void => {
    if (part === undefined) isStatic = false;
    text += part ?? '';
    bare += '\0'.repeat(Math.max(part?.length ?? 1, 1));
  };
  while (!wordEnds.has(reader.peek())) {
    const char = reader.next();
    if (char === "'") quoted(readSingleQuoted(reading));
    else if (char === '"') quoted(readDoubleQuoted(reading));
    else if (char === '\\') quoted(escaped(reader.nextRaw()));
    else if (char === '$' || char === '`') quoted(readExpansion(reading, char, false));
    else if (char === '(') throw new ShellSyntaxFailure('function or pattern');
    else {
      text += char;
      bare += char;
    }
  }
  if (expandsWhenUnquoted(bare)) {
    uses.add('expansion');
    isStatic = false;
  }
  return {word: isStatic ? text : undefined, bare};
}

/** File names, braces, home directories. What cannot be a pattern stays as it is. */
function expandsWhenUnquoted(bare: string): boolean {
  return (
    !['{}', '[', ']'].includes(bare) && (/[*?[\]{}]/u.test(bare) || /(?:^|[=:])~/u.test(bare) || bare.startsWith('='))
  );
}

function escaped(char: string): string {
  if (char === '') throw new ShellSyntaxFailure('nothing follows the backslash');
  return char;
}

function readSingleQuoted({reader}: ShellReading): string {
  let text = '';
  for (;;) {
    const char = reader.nextRaw();
    if (char === "'") return text;
    if (char === '') throw new ShellSyntaxFailure('open quote');
    text += char;
  }
}

/** Undefined if something in it expands. */
function readDoubleQuoted(reading: ShellReading): string | undefined {
  const {reader} = reading;
  let text: string | undefined = '';
  for (;;) {
    const char = reader.next();
    if (char === '"') return text;
    if (char === '') throw new ShellSyntaxFailure('open quote');
    let part: string | undefined = char;
    if (char === '\\') part = '$`"\\'.includes(escaped(reader.peekRaw())) ? reader.nextRaw() : char;
    else if (char === '$' || char === '`') part = readExpansion(reading, char, true);
    text = text === undefined || part === undefined ? undefined : text + part;
  }
}

/** What follows `$` or a backtick. A text only for a `$` that means itself. */
function readExpansion(reading: ShellReading, char: string, isQuoted: boolean): string | undefined {
  const {reader, uses} = reading;
  // Backslashes within backticks have rules of their own.
  if (char === '`') throw new ShellSyntaxFailure('backticks');
  const follows = reader.peek();
  if (follows === '(') {
    reader.next();
    if (reader.peek() === '(') throw new ShellSyntaxFailure('arithmetic');
    uses.add('substitution');
    reading.readSubstitution(reading);
    return undefined;
  }
  if (/^[A-Za-z_]$/u.test(follows)) {
    while (/^\w$/u.test(reader.peek())) reader.next();
  } else if (/^[0-9@*#?$!-]$/u.test(follows)) reader.next();
  else if (follows === '{') readBraces(reading);
  else if (wordEnds.has(follows) || (isQuoted && follows === '"')) return '$';
  // Quotes with escapes of their own, old arithmetic, and what else there may be.
  else throw new ShellSyntaxFailure('unknown expansion');
  uses.add('expansion');
  return undefined;
}

/** `${NAME}` and no more: what else braces can contain may run commands. */
function readBraces({reader}: ShellReading): void {
  reader.next();
  if (!/^[A-Za-z_]$/u.test(reader.peek())) throw new ShellSyntaxFailure('parameter expansion');
  while (/^\w$/u.test(reader.peek())) reader.next();
  if (reader.next() !== '}') throw new ShellSyntaxFailure('parameter expansion');
}
