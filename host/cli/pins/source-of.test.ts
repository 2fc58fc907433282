import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {sourceOf} from './source-of.ts';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'lumenflow-sources-'));
  mkdirSync(join(cwd, 'ws'));
  mkdirSync(join(cwd, 'notes'));
  writeFileSync(join(cwd, 'notes/manifest.yaml'), '');
  mkdirSync(join(cwd, 'repo/.git'), {recursive: true});
  writeFileSync(join(cwd, 'notes.tgz'), '');
});
afterAll(() => rmSync(cwd, {recursive: true}));

test.each([
  ['notes', {source: 'local', path: '../notes'}],
  ['software-delivery', {source: 'npm', package: '@lumenflow/pack-software-delivery', wanted: 'latest'}],
  ['@acme/notes', {source: 'npm', package: '@acme/notes', wanted: 'latest'}],
  ['@acme/notes@^1.2.0', {source: 'npm', package: '@acme/notes', wanted: '^1.2.0'}],
  ['@acme/notes@./notes.tgz', {source: 'npm', package: '@acme/notes', path: '../notes.tgz'}],
  ['https://git.example/notes.git#v1', {source: 'git', url: 'https://git.example/notes.git', ref: 'v1'}],
  ['git@git.example:acme/notes#main', {source: 'git', url: 'git@git.example:acme/notes', ref: 'main'}],
  ['repo#v2', {source: 'git', url: '../repo', ref: 'v2'}],
])('%s', (text, source) => {
  expect(sourceOf(text, {cwd, workspaceRoot: join(cwd, 'ws')})).toEqual(source);
});

test.each([
  ['https://git.example/notes.git', 'does not name a version'],
  ['./notes.tgz', 'does not name its package'],
  ['gone.tgz', 'does not exist'],
  ['../nothing', 'is not a folder, a package or a repository'],
])('rejects %s', (text, message) => {
  expect(() => sourceOf(text, {cwd, workspaceRoot: join(cwd, 'ws')})).toThrow(message);
});
