// Locates the first error in invalid JSON, because the engine's messages often omit it. Not recursive, because the text is
// untrusted.

export interface JsonErrorPlace {
  /** From 1, in characters. */
  readonly line: number;
  readonly column: number;
  /** The text is the start of valid JSON. */
  readonly at_end: boolean;
}

/** A punctuation mark represents itself, `"` a string, `#` any other scalar. */
type TokenKind = '{' | '}' | '[' | ']' | ',' | ':' | '"' | '#';
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or }' | 'comma or ]' | 'end';

const allowed: Readonly<Record<Expected, string>> = {
  value: '{["#',
  'value or ]': '{["#]',
  key: '"',
  'key or }': '"}',
  colon: ':',
  'comma or }': ',}',
  'comma or ]': ',]',
  end: '',
};

const space = /[ \t\n\r]*/y;
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Undefined if the text is JSON. */
export function locateJsonError(text: string): JsonErrorPlace | undefined {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let offset = skip(space, text, 0);
  while (offset < text.length) {
    const kind = kindOf(text.charAt(offset));
    if (!allowed[expected].includes(kind)) return placeOf(text, offset);
    const {end, isWhole} = endOfToken(text, offset, kind);
    if (!isWhole) return placeOf(text, end);
    expected = follow(kind, expected, open);
    offset = skip(space, text, end);
  }
  return expected === 'end' ? undefined : placeOf(text, text.length);
}

function kindOf(character: string): TokenKind {
  return isMark(character) ? character : '#';
}

function isMark(character: string): character is TokenKind {
  return '{}[],:"'.includes(character);
}

function follow(kind: TokenKind, expected: Expected, open: ('{' | '[')[]): Expected {
  if (kind === ':') return 'value';
  if (kind === ',') return open.at(-1) === '{' ? 'key' : 'value';
  if (kind === '{' || kind === '[') {
    open.push(kind);
    return kind === '{' ? 'key or }' : 'value or ]';
  }
  if (kind === '"' && (expected === 'key' || expected === 'key or }')) return 'colon';
  if (kind === '}' || kind === ']') open.pop();
  const within = open.at(-1);
  if (within === undefined) return 'end';
  return within === '{' ? 'comma or }' : 'comma or ]';
}

/** The end of the token, or the position of its error. */
function endOfToken(text: string, start: number, kind: TokenKind): {readonly end: number; readonly isWhole: boolean} {
  if (kind === '"') return endOfString(text, start);
  if (kind !== '#') return {end: start + 1, isWhole: true};
  const end = skip(scalar, text, start);
  return {end, isWhole: end > start};
}

function endOfString(text: string, start: number): {readonly end: number; readonly isWhole: boolean} {
  let offset = start + 1;
  while (offset < text.length) {
    const character = text.charAt(offset);
    if (character === '"') return {end: offset + 1, isWhole: true};
    const end = character === '\\' ? skip(escape, text, offset) : offset + 1;
    if (character < ' ' || end === offset) return {end: offset, isWhole: false};
    offset = end;
  }
  return {end: offset, isWhole: false};
}

function skip(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : offset;
}

function placeOf(text: string, offset: number): JsonErrorPlace {
  const before = text.slice(0, offset);
  return {
    line: before.split('\n').length,
    column: offset - before.lastIndexOf('\n'),
    at_end: offset >= text.length,
  };
}
