// What a package publishes exists: npm leaves out a missing entry of `files` without a word, and so it does with a `dist` that nothing builds.
import {posix} from 'node:path';
import {expect, test} from 'vitest';
import {listPaths, readRepository} from './repository.ts';

interface Manifest {
  readonly files?: readonly string[];
}

test('each entry of `files` in a package.json exists', () => {
  const paths = listPaths();
  const manifests = readRepository().filter(({path}) => posix.basename(path) === 'package.json');
  const missing = manifests.flatMap(({path, text}) => {
    const {files = []} = JSON.parse(text) as Manifest;
    return (
      files
        // A build and a release write these.
        .filter((entry) => !/^!|\*|\bdist\b|^pack\.sig$/.test(entry))
        .map((entry) => posix.join(posix.dirname(path), entry))
        .filter((entry) => !paths.has(entry))
    );
  });
  expect(missing).toEqual([]);
});

test('each package that compiles to `dist` is built: the root tsconfig.json references it', () => {
  const files = readRepository();
  const compiled = files
    .filter(
      ({path, text}) =>
        posix.basename(path) === 'package.json' && (JSON.parse(text) as Manifest).files?.includes('dist'),
    )
    .map(({path}) => posix.dirname(path));
  const {references} = JSON.parse(files.find(({path}) => path === 'tsconfig.json')?.text ?? '') as {
    references: readonly {readonly path: string}[];
  };
  expect(references.map(({path}) => path)).toEqual(expect.arrayContaining(compiled));
  expect(compiled).toContain('host');
});
