// Two files of a package whose names differ only by an *s* are mistaken for each other, so one of them needs a name of its own. A folder
// of one kind of things completes the names of its files: `TaskPage` in pages/task.tsx is not a twin of routes/tasks.ts.
import {posix} from 'node:path';
import {exportsOf, isNamedWithFolder, singular, wordsOf} from './export-names.ts';
import type {Package} from './house.ts';
import type {Finding, SourceFile} from './source-file.ts';

function fullName(file: SourceFile): string {
  const stem = posix.basename(file.path).replace(/\..*$/, '');
  const folder = posix.basename(posix.dirname(file.path));
  const {values} = exportsOf(file);
  const isCompleted = values.some((value) => isNamedWithFolder(value, wordsOf(stem), wordsOf(folder)));
  return isCompleted ? `${folder}/${stem}` : stem;
}

const partOf = (path: string, packages: readonly Package[]): string =>
  packages
    .map(({folder}) => folder)
    .filter((folder) => path.startsWith(`${folder}/`))
    .reduce((longest, folder) => (folder.length > longest.length ? folder : longest), '');

export function findTwinNames(files: readonly SourceFile[], packages: readonly Package[]): readonly Finding[] {
  const firsts = new Map<string, {readonly name: string; readonly path: string}>();
  return files.flatMap((file): readonly Finding[] => {
    const name = fullName(file);
    const key = `${partOf(file.path, packages)}/${wordsOf(name).map(singular).join('-')}`;
    const first = firsts.get(key) ?? {name, path: file.path};
    firsts.set(key, first);
    if (first.name === name) return [];
    return [
      {path: file.path, line: 1, message: `is named almost like ${first.path}: name one of them by what differs`},
    ];
  });
}
