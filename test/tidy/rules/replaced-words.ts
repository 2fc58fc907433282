// Identifiers use the words of the glossary: a verb that the voice replaces in a sentence is replaced in a name, too.
import {parse} from './imports-of.ts';
import {lineAt, type Finding, type SourceFile} from './source-file.ts';

/** Each with the words to use. */
const replaced: ReadonlyMap<string, string> = new Map([
  ['tell', 'report, notify, print'],
  ['told', 'reported'],
  ['untold', 'unreported'],
  ['hear', 'receive, on…'],
  ['heard', 'received'],
  ['spell', 'encode'],
  ['spelt', 'encoded'],
  ['strike', 'close'],
  ['whoever', 'the actor’s name'],
]);

/** Few files contain one of these words anywhere, and only those are parsed. */
const mayContain = new RegExp([...replaced.keys()].join('|'), 'i');

interface Identifier {
  readonly name: string;
  readonly start: number;
}

function* identifiersIn(node: unknown): Iterable<Identifier> {
  if (typeof node !== 'object' || node === null) return;
  const {type, name, start} = node as {type?: unknown; name?: unknown; start?: unknown};
  if (type === 'Identifier' && typeof name === 'string' && typeof start === 'number') yield {name, start};
  for (const child of Object.values(node)) yield* identifiersIn(child);
}

const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(' ');

export function findReplacedWords(files: readonly SourceFile[]): readonly Finding[] {
  const suspects = files.filter(({text}) => mayContain.test(text));
  return suspects.flatMap((file) =>
    [...identifiersIn(parse(file).body)].flatMap(({name, start}) => {
      const word = wordsOf(name).find((one) => replaced.has(one));
      if (word === undefined) return [];
      return [{path: file.path, line: lineAt(file.text, start), message: `\`${name}\`: write ${replaced.get(word)}`}];
    }),
  );
}
