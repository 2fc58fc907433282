import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {sourceOf} from './source-of.ts';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'lumenflow-sources-'));
  mkdirSync(join(cwd, 'ws'));
  mkdirSync(join(cwd, 'notes'));
  writeFileSync(join(cwd, 'notes/manifest.yaml'), '');
  mkdirSync(join(cwd, 'repo/.git'), {recursive: true});
  writeFileSync(join(cwd, 'broken.tgz'), '');
  writeFileSync(join(cwd, 'notes.tgz'), tarballOf('{"name": "@acme/notes"}'));
});
afterAll(() => rmSync(cwd, {recursive: true}));

/** With a larger file before package.json, as in a real one. */
function tarballOf(packageJson: string): Buffer {
  const entries = [
    ['package/LICENSE', 'x'.repeat(700)],
    ['package/package.json', packageJson],
  ] as const;
  const blocks = entries.flatMap(([name, text]) => {
    const header = Buffer.alloc(512);
    header.write(name);
    header.write(text.length.toString(8).padStart(11, '0'), 124);
    return [header, Buffer.from(text.padEnd(Math.ceil(text.length / 512) * 512, '\0'))];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

test.each([
  ['notes', {source: 'local', path: '../notes'}],
  ['software-delivery', {source: 'npm', package: '@lumenflow/pack-software-delivery', wanted: 'latest'}],
  ['@acme/notes', {source: 'npm', package: '@acme/notes', wanted: 'latest'}],
  ['@acme/notes@^1.2.0', {source: 'npm', package: '@acme/notes', wanted: '^1.2.0'}],
  ['notes.tgz', {source: 'npm', package: '@acme/notes', path: '../notes.tgz'}],
  ['@acme/notes@./notes.tgz', {source: 'npm', package: '@acme/notes', path: '../notes.tgz'}],
  ['https://git.example/notes.git#v1', {source: 'git', url: 'https://git.example/notes.git', ref: 'v1'}],
  ['git@git.example:acme/notes#main', {source: 'git', url: 'git@git.example:acme/notes', ref: 'main'}],
  ['repo#v2', {source: 'git', url: '../repo', ref: 'v2'}],
])('%s', (text, source) => {
  expect(sourceOf(text, {cwd, workspaceRoot: join(cwd, 'ws')})).toEqual(source);
});

test.each([
  ['https://git.example/notes.git', 'does not name a version'],
  ['./broken.tgz', 'does not contain a package'],
  ['gone.tgz', 'does not exist'],
  ['../nothing', 'is not a folder, a package or a repository'],
])('rejects %s', (text, message) => {
  expect(() => sourceOf(text, {cwd, workspaceRoot: join(cwd, 'ws')})).toThrow(message);
});
