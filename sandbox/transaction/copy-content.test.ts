import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {copyContent} from './copy-content.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'copy-content-'))));
afterEach(() => rmSync(folder, {recursive: true}));
const inside = (name: string): string => join(folder, name);

test('a file of several parts is copied whole, for its owner alone', async () => {
  const content = Buffer.alloc(3 * 1024 * 1024 + 5, 'abc');
  writeFileSync(inside('large'), content);
  await copyContent(inside('large'), inside('copy'));
  expect(readFileSync(inside('copy')).equals(content)).toBe(true);
  expect(statSync(inside('copy')).mode & 0o777).toBe(0o600);
});

test('a symlink is not followed, and no file is made', async () => {
  writeFileSync(inside('secret'), 'secret');
  symlinkSync('secret', inside('link'));
  await expect(copyContent(inside('link'), inside('copy'))).rejects.toThrow('ELOOP');
  expect(() => statSync(inside('copy'))).toThrow('ENOENT');
});

test('a named pipe without a writer is not waited for', async () => {
  execFileSync('mkfifo', [inside('pipe')]);
  await copyContent(inside('pipe'), inside('copy'));
  expect(readFileSync(inside('copy'), 'utf8')).toBe('');
});
