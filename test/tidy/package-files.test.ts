// What a package publishes exists: npm leaves out a missing entry of `files` without a word.
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
    return files
      .filter((entry) => !/^!|\*|\bdist\b/.test(entry))
      .map((entry) => posix.join(posix.dirname(path), entry))
      .filter((entry) => !paths.has(entry));
  });
  expect(missing).toEqual([]);
});
