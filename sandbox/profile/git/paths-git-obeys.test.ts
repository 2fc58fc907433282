import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createHostFiles} from '../host-files.ts';
import {parseGitConfig} from './parse-git-config.ts';
import {pathsGitObeys, repositoryAt} from './paths-git-obeys.ts';

let root: string;
beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'obeys-')))));
afterEach(() => rmSync(root, {recursive: true, force: true}));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), {recursive: true});
  writeFileSync(join(root, path), text);
}

function obeyed(workTree = '.'): readonly string[] {
  const files = createHostFiles();
  const repository = repositoryAt(join(root, workTree), files);
  if (repository === undefined) throw new Error('there is no repository');
  return pathsGitObeys(repository, join(root, 'home'), files)
    .filter((path) => path.startsWith(`${root}/`))
    .map((path) => path.slice(root.length + 1));
}

test.each([
  ['[core]\n\thooksPath = .githooks', ['core.hookspath', '.githooks']],
  ['[core] hooksPath=".git hooks" ; ours', ['core.hookspath', '.git hooks']],
  ['[CORE]\nHooksPath = a\\\nb # c', ['core.hookspath', 'ab']],
  ['[filter "L F"]\r\n\tclean = "a \\"b\\" c"\r\n', ['filter.L F.clean', 'a "b" c']],
  ['[alias]\n\tx = !sh ./x.sh', ['alias.x', '!sh ./x.sh']],
  ['[core]\n\tbare', ['core.bare', 'true']],
])('reads %j', (text, [name, value]) => expect(parseGitConfig(text)).toEqual([{name, value}]));

test('hooks, includes, and programs that lie in the workspace are obeyed', () => {
  put('scripts/clean.sh', '');
  put('tools/monitor', '');
  put(
    '.git/config',
    '[core]\n hooksPath = .githooks\n fsmonitor = tools/monitor\n[include]\n path = ../team\n[filter "x"]\n clean = sh scripts/clean.sh %f',
  );
  put('team', '[includeIf "onbranch:never"]\n path = deeper');
  expect(obeyed().toSorted()).toEqual(['.githooks', 'deeper', 'scripts/clean.sh', 'team', 'tools/monitor']);
});

test("a person's own configuration counts in every work tree", () => {
  put('.git/config', '');
  put('home/.gitconfig', '[core]\n hooksPath = .hooks');
  expect(obeyed()).toEqual(['.hooks']);
});

test('an added work tree uses the configuration of its repository', () => {
  put('.git/config', '[core]\n hooksPath = hooks');
  put('.git/worktrees/side/commondir', '../..\n');
  put('side/.git', `gitdir: ${root}/.git/worktrees/side\n`);
  expect(obeyed('side')).toEqual(['side/hooks']);
});
