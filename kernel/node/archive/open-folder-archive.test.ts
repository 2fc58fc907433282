import {mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {archiveCases} from '../conformance/archive-cases.ts';
import {openFolderArchive} from './open-folder-archive.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-folder-archive-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

describe('the suite of archives', () => {
  for (const {name, run} of archiveCases) test(name, () => run({open: () => openFolderArchive(join(folder, 'a'))}));
});

describe('the suite of archives on a file system without hard links that cannot sync folders', () => {
  const fails = (code: string) => () => Promise.reject(Object.assign(new Error(code), {code, syscall: 'link'}));
  const fat = {link: fails('EPERM'), syncFolder: fails('EINVAL')};
  for (const {name, run} of archiveCases)
    test(name, () => run({open: () => openFolderArchive(join(folder, 'a'), fat)}));
});

test.skipIf(process.platform !== 'linux')('a folder in which nothing can be created is reported', async () => {
  await expect(openFolderArchive('/proc/self/archive').put('contents/a', Buffer.from('a'))).rejects.toMatchObject({
    code: 'LOG_UNAVAILABLE',
    message: expect.stringContaining('the archive file:/proc/self/archive cannot be used: ENOENT'),
  });
});

test('nothing temporary stays after a failure', async () => {
  const fails = (): Promise<void> => Promise.reject(Object.assign(new Error('EIO'), {code: 'EIO', syscall: 'link'}));
  const archive = openFolderArchive(folder, {link: fails, syncFolder: fails});
  await expect(archive.put('contents/a', Buffer.from('a'))).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
  expect(readdirSync(join(folder, 'contents'))).toEqual([]);
});

test('a folder that cannot be used is reported with its location', async () => {
  writeFileSync(join(folder, 'file'), '');
  const archive = openFolderArchive(join(folder, 'file'));
  await expect(archive.put('contents/a', Buffer.from('a'))).rejects.toMatchObject({
    code: 'LOG_UNAVAILABLE',
    message: expect.stringContaining(`the archive file:${join(folder, 'file')} cannot be used`),
  });
});

test.each(['../a', 'a/../b', '/a', 'A', ''])('`%s` is not a key', async (key) => {
  await expect(Promise.resolve().then(() => openFolderArchive(folder).get(key))).rejects.toMatchObject({
    code: 'BROKEN_INVARIANT',
  });
});
