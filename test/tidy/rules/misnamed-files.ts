// A file with one runtime export, or with nothing but one type, is named after it. Names are compared by their letters: `order-book`
// and `OrderBook` are the same.
import {posix} from 'node:path';
import {exportsOf, isNamedWithFolder, letters, wordsOf} from './export-names.ts';
import type {Finding, SourceFile} from './source-file.ts';

/** Started by their path, so they are named after what they are. */
const programs = new Set(['host/pool/worker.ts']);

/**
 * The names that the one export may give its file: its own, without the verb that it begins with (`openOrderBook` in order-book.ts),
 * without a final `Of`, or that of a type beside it.
 */
function namesBy(value: string, types: readonly string[]): readonly string[] {
  const words = wordsOf(value);
  const accessor = words.at(-1) === 'of' ? [letters(words.slice(0, -1))] : [];
  return [letters(words), letters(words.slice(1)), ...accessor, ...types.map((type) => letters(wordsOf(type)))];
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
