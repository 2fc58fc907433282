// Reads the text of a macOS sandbox profile into nested lists, as its Scheme reader does. Strict: what the
// documented language does not have is an error.

export interface Text {
  readonly text: string;
}

/** A symbol or number, a string, a list. */
export type Expression = string | Text | readonly Expression[];

interface Source {
  readonly characters: string;
  at: number;
}

export function readSbpl(characters: string): readonly Expression[] {
  const source: Source = {characters, at: 0};
  const forms: Expression[] = [];
  for (skipBlank(source); source.at < characters.length; skipBlank(source)) forms.push(readForm(source));
  return forms;
}

function skipBlank(source: Source): void {
  source.at += /^(?:\s|;[^\n]*(?:\n|$))*/.exec(source.characters.slice(source.at))?.[0].length ?? 0;
}

function readForm(source: Source): Expression {
  const rest = source.characters.slice(source.at);
  if (rest.startsWith('(')) return readList(source);
  if (rest.startsWith('"')) return readString(source);
  if (rest.startsWith('#"')) return readRaw(source);
  const symbol = /^[^\s()";#]+/.exec(rest)?.[0];
  if (symbol === undefined) throw new Error(`unexpected \`${rest.slice(0, 20)}\` at ${source.at}`);
  source.at += symbol.length;
  return symbol;
}

function readList(source: Source): readonly Expression[] {
  const items: Expression[] = [];
  source.at += 1;
  for (skipBlank(source); source.characters[source.at] !== ')'; skipBlank(source)) {
    if (source.at >= source.characters.length) throw new Error('a list is not closed');
    items.push(readForm(source));
  }
  source.at += 1;
  return items;
}

function readString(source: Source): Text {
  let text = '';
  for (source.at += 1; source.characters[source.at] !== '"'; source.at += 1) {
    let character = source.characters[source.at];
    if (character === '\\') {
      source.at += 1;
      character = source.characters[source.at];
      if (character !== '"' && character !== '\\') throw new Error(`unknown escape \\${character}`);
    }
    if (character === undefined || character === '\n') throw new Error('a string is not closed');
    text += character;
  }
  source.at += 1;
  return {text};
}

/** `#"…"`: nothing in it is an escape. */
function readRaw(source: Source): Text {
  const end = source.characters.indexOf('"', source.at + 2);
  if (end < 0) throw new Error('a raw string is not closed');
  const text = source.characters.slice(source.at + 2, end);
  source.at = end + 1;
  return {text};
}
