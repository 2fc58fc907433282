import {homedir} from 'node:os';
import {expect, test} from 'vitest';
import {readRepository, root} from './repository.ts';
import {findLostPlatforms, findMachinePaths, findRegistryHosts} from './rules/portability.ts';
import {report} from './rules/source-file.ts';

const files = readRepository();

test('no file names a path of this machine', () => {
  // A short path such as `/app` or `/root` is also one that code may speak of in general.
  const own = [root, homedir()].filter((folder) => folder.split('/').length > 2);
  expect(report(findMachinePaths(files, own))).toEqual([]);
});

test('the lock file serves every registry and platform', () => {
  const lockFiles = files.filter(({path}) => path === 'package-lock.json');
  expect(lockFiles).toHaveLength(1);
  expect(report(lockFiles.flatMap(findLostPlatforms))).toEqual([]);
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

test('finds a platform that a lock file has lost', () => {
  const packages = {
    'node_modules/tool': {optionalDependencies: {'tool-linux': '1.0.0', 'tool-darwin': '1.0.0', inner: '1.0.0'}},
    'node_modules/tool-linux': {},
    'node_modules/tool/node_modules/inner': {},
  };
  const text = JSON.stringify({packages}, undefined, 1);
  expect(report(findLostPlatforms({path: 'package-lock.json', text}))).toEqual([
    expect.stringMatching(/^package-lock\.json:3 lacks tool-darwin, a build of node_modules\/tool/),
  ]);
});
