import {homedir} from 'node:os';
import {expect, test} from 'vitest';
import {readRepository, root} from './repository.ts';
import {findMachinePaths, findRegistryHosts} from './rules/machine-traces.ts';
import {report} from './rules/source-file.ts';

const files = readRepository();

test('no file names a path of this machine', () => {
  // A short path such as `/app` or `/root` is also one that code may speak of in general.
  const own = [root, homedir()].filter((folder) => folder.split('/').length > 2);
  expect(report(findMachinePaths(files, own))).toEqual([]);
});

test('the lock file names no registry', () => {
  const lockFiles = files.filter(({path}) => path === 'package-lock.json');
  expect(lockFiles).toHaveLength(1);
  expect(report(lockFiles.flatMap(findRegistryHosts))).toEqual([]);
});

test('finds a path of the machine', () => {
  const file = {path: 'a.md', text: 'run it in\n/home/somebody/project/a\n'};
  expect(report(findMachinePaths([file], ['/home/somebody']))).toEqual([
    'a.md:2 names `/home/somebody`, a path of one machine',
  ]);
});

test('finds a registry in a lock file, and leaves links between workspaces alone', () => {
  const text = '{\n"resolved": "https://registry.example.com/a.tgz",\n"resolved": "kernel"\n}';
  expect(report(findRegistryHosts({path: 'package-lock.json', text}))).toEqual([
    expect.stringMatching(/^package-lock\.json:2 .*registry\.example\.com/),
  ]);
});
