import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {surveyProject} from './survey-project.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'survey-'));
});
afterEach(() => rmSync(root, {recursive: true, force: true}));

function put(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), {recursive: true});
    writeFileSync(join(root, path), 'x');
  }
}

const survey = () => surveyProject(root, process.env['PATH'] ?? '');

test('the folders of work, without packages, builds, secrets and hidden ones', async () => {
  put('lib/a', 'my docs/b', 'node_modules/c', 'dist/d', '.github/e', 'secrets/f', 'x.egg-info/g', 'AGENTS.md', 'a.md');
  put('a,{b}*/odd');
  expect(await survey()).toEqual({folders: ['lib', 'my docs'], instructions: ['AGENTS.md']});
});

test('in a repository, only folders with files that git tracks or would add', async () => {
  execFileSync('git', ['init', '-q'], {cwd: root});
  put('packages/a/src/x', 'tracked/y', 'notes/z', 'CLAUDE.md');
  writeFileSync(join(root, '.gitignore'), 'notes/\nCLAUDE.md\n');
  mkdirSync(join(root, 'empty'));
  execFileSync('git', ['add', 'tracked'], {cwd: root});
  expect(await survey()).toEqual({folders: ['packages', 'tracked'], instructions: []});
});

test('an empty folder', async () => {
  expect(await survey()).toEqual({folders: [], instructions: []});
});
