import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {readPackFiles} from './pack-files.ts';

const root = mkdtempSync(join(tmpdir(), 'pack-files-'));
afterEach(() => rmSync(root, {recursive: true, force: true}));

test('a workspace in the same folder is not part of the pack; nested files of that name are', async () => {
  mkdirSync(join(root, 'templates'));
  for (const path of ['manifest.yaml', 'workspace.yaml', 'templates/workspace.yaml'])
    writeFileSync(join(root, path), path);
  const files = await readPackFiles(root);
  expect([...files.hashes.keys()].toSorted()).toEqual(['manifest.yaml', 'templates/workspace.yaml']);
  await expect(files.read('workspace.yaml')).rejects.toThrow('is not a file of the pack');
});
