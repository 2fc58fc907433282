// What a file exports, and how the words of its name relate to the words of an export.
import {parse} from './imports-of.ts';
import type {SourceFile} from './source-file.ts';

export interface Exports {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/** Several rules read the exports of the same files. */
const cache = new WeakMap<SourceFile, Exports>();

export function exportsOf(file: SourceFile): Exports {
  const names = cache.get(file) ?? readExports(file);
  cache.set(file, names);
  return names;
}

function readExports(file: SourceFile): Exports {
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
export function wordsOf(name: string): readonly string[] {
  const split = name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').replace(/([A-Z])([A-Z][a-z])/g, '$1-$2');
  return split.toLowerCase().split(/[-.]/);
}

export const singular = (word: string): string => word.replace(/(?<=ss)es$|(?<!s)s$/, '');
export const letters = (words: readonly string[]): string => words.join('');

/** A folder of one kind of things gives their names a word: `gitAdd` in git/add.ts, `FeedPage` in pages/feed.tsx. */
export function isNamedWithFolder(value: string, stem: readonly string[], folder: readonly string[]): boolean {
  const combined = [
    [...folder, ...stem],
    [...stem, ...folder],
  ].map((words) => letters(words.map(singular)));
  const words = wordsOf(value).map(singular);
  return combined.includes(letters(words)) || combined.includes(letters(words.slice(1)));
}
