// A file with one runtime export, or with nothing but one type, is named after it. Names are compared by their letters: `order-book`
// and `OrderBook` are the same.
import {posix} from 'node:path';
import {parse} from './imports-of.ts';
import type {Finding, SourceFile} from './source-file.ts';

interface Exports {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/** Started by their path, so they are named after what they are. */
const programs = new Set(['host/pool/worker.ts']);

function exportsOf(file: SourceFile): Exports {
  const values: string[] = [];
  const types: string[] = [];
  for (const statement of parse(file).body) {
    if (statement.type !== 'ExportNamedDeclaration' || statement.source) continue;
    const {declaration, specifiers} = statement;
    values.push(...specifiers.flatMap(({exported}) => (exported.type === 'Identifier' ? [exported.name] : [])));
    if (declaration?.type === 'VariableDeclaration') {
      values.push(...declaration.declarations.flatMap(({id}) => (id.type === 'Identifier' ? [id.name] : [])));
    } else if (declaration?.type === 'TSInterfaceDeclaration' || declaration?.type === 'TSTypeAliasDeclaration') {
      types.push(declaration.id.name);
    } else if (declaration && 'id' in declaration && declaration.id?.type === 'Identifier') {
      values.push(declaration.id.name);
    }
  }
  return {values, types};
}

/** Words of an identifier or a file name, in lower case. */
function wordsOf(name: string): readonly string[] {
  const split = name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').replace(/([A-Z])([A-Z][a-z])/g, '$1-$2');
  return split.toLowerCase().split(/[-.]/);
}

const singular = (word: string): string => word.replace(/(?<=ss)es$|(?<!s)s$/, '');
const letters = (words: readonly string[]): string => words.join('');

/**
 * The names that the one export may give its file: its own, without the verb that it begins with (`openOrderBook` in order-book.ts),
 * without a final `Of`, or that of a type beside it.
 */
function namesBy(value: string, types: readonly string[]): readonly string[] {
  const words = wordsOf(value);
  const accessor = words.at(-1) === 'of' ? [letters(words.slice(0, -1))] : [];
  return [letters(words), letters(words.slice(1)), ...accessor, ...types.map((type) => letters(wordsOf(type)))];
}

/** A folder of one kind of things gives their names a word: `gitAdd` in git/add.ts, `FeedPage` in pages/feed.tsx. */
function isNamedWithFolder(value: string, stem: readonly string[], folder: readonly string[]): boolean {
  const combined = [
    [...folder, ...stem],
    [...stem, ...folder],
  ].map((words) => letters(words.map(singular)));
  const words = wordsOf(value).map(singular);
  return combined.includes(letters(words)) || combined.includes(letters(words.slice(1)));
}

export function findMisnamedFiles(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap((file): readonly Finding[] => {
    const {path} = file;
    const {values, types} = exportsOf(file);
    const [only, ...others] = values.length === 0 ? types : values;
    if (only === undefined || others.length > 0 || programs.has(path)) return [];
    const stem = wordsOf(posix.basename(path).replace(/(\.fixture)?\.tsx?$/, ''));
    const folder = wordsOf(posix.basename(posix.dirname(path)));
    if (namesBy(only, types).includes(letters(stem)) || isNamedWithFolder(only, stem, folder)) return [];
    return [{path, line: 1, message: `exports only \`${only}\`: name the file after it`}];
  });
}
