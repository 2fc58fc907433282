import {mkdirSync, mkdtempSync, rmSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {openArchive} from './open-archive.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-archive-place-'));
  mkdirSync(join(root, 'shop', 'src'), {recursive: true});
  symlinkSync(join(root, 'shop', 'src'), join(root, 'link'));
});
afterEach(() => rmSync(root, {recursive: true}));

const open = (location: string) => openArchive({location}, {workspaceRoot: join(root, 'shop'), env: {}});

test.each(['shop', 'shop/archive', 'shop/.lumenflow/kernel', 'shop/../shop/..archive', 'link', 'link/new/archive'])(
  'an archive in the workspace is rejected, because tools could reach it: %s',
  async (folder) => {
    await expect(open(`file:${root}/${folder}`)).rejects.toMatchObject({
      code: 'LOAD_FAILED',
      message: expect.stringContaining('choose a directory outside it'),
    });
  },
);

test.each(['shop-archive', '..archive', 'shop/../archive', 'ünï code', "it's #1?"])(
  'an archive beside the workspace is opened: %s',
  async (folder) => {
    const archive = await open(`file:${root}/${folder}`);
    await archive.put('contents/a', Buffer.from('a'));
    expect((await archive.get('contents/a'))?.toString()).toBe('a');
  },
);

test('a location with a host is rejected, because no server is asked', async () => {
  await expect(open('file://server.example/archive')).rejects.toMatchObject({
    code: 'LOAD_FAILED',
    message: expect.stringContaining('mount the server'),
  });
});

test('a relative location and another scheme are rejected', async () => {
  await expect(open('file:archive')).rejects.toMatchObject({message: expect.stringContaining('absolute path')});
  await expect(open('https://server.example/a')).rejects.toMatchObject({message: expect.stringContaining('s3://')});
});
