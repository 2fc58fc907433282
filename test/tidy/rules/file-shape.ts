// The shape of single files: their size, their names, and what an index.ts may say.
import {posix} from 'node:path';
import {parse} from './imports-of.ts';
import {type Finding, lineAt, type SourceFile} from './source-file.ts';

const linesMax = 300;

/** Names that say nothing about the file's content. */
const emptyNames = new Set(
  'util utils common shared helper helpers constant constants type types manager managers impl misc'.split(' '),
);
/** Endings that say nothing more than the name before them. */
const emptyEndings = /-(utils?|helpers?|manager|impl)$/;

export function findLongFiles(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap(({path, text}): readonly Finding[] => {
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    return lines > linesMax
      ? [
          {
            path,
            line: linesMax + 1,
            message: `has ${lines} lines, over ${linesMax}: split it where it has two responsibilities`,
          },
        ]
      : [];
  });
}

function judgeName(name: string): string | undefined {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return `\`${name}\` is not kebab-case`;
  if (emptyNames.has(name) || emptyEndings.test(name)) return `\`${name}\` does not say what is inside`;
  return undefined;
}

export function findBadNames(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap(({path}) => {
    const folders = posix
      .dirname(path)
      .split('/')
      .filter((name) => !name.startsWith('.'));
    const words = posix.basename(path).split('.').slice(0, -1);
    return [...folders, ...words].flatMap((name): readonly Finding[] => {
      const message = judgeName(name);
      return message === undefined ? [] : [{path, line: 1, message}];
    });
  });
}

/** An index.ts only re-exports by name, because nobody expects other code there. */
export function findCodeInIndexes(files: readonly SourceFile[]): readonly Finding[] {
  return files
    .filter(({path}) => posix.basename(path) === 'index.ts')
    .flatMap((file) =>
      parse(file)
        .body.filter((statement) => statement.type !== 'ExportNamedDeclaration' || !statement.source)
        .map((statement) => ({
          path: file.path,
          line: lineAt(file.text, statement.start),
          message: "an index.ts only re-exports by name: `export {name} from './file.ts'`",
        })),
    );
}
