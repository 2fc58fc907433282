// The next host removes what a killed host left in the temporary directory. Folders of live hosts and of other programs stay.
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {makeOwnedFolder, reapOwnedFolders} from './leftover-folders.ts';

const root = mkdtempSync(join(tmpdir(), 'lumenflow-leftover-'));
afterAll(() => rmSync(root, {recursive: true}));

/** A process that has ended, in the same namespace as this one. */
const endedPid = Number(execFileSync('sh', ['-c', 'echo $$'], {encoding: 'utf8'}));

test('folders of a process that has ended are removed, and no others', async () => {
  const mine = await makeOwnedFolder(root, 'lumenflow-call');
  const [, namespace = ''] = /lumenflow-call-(\d+)-/.exec(mine) ?? [];
  const left = join(root, `lumenflow-call-${namespace}-${endedPid}-abc`);
  mkdirSync(join(left, 'tmp'), {recursive: true});
  writeFileSync(join(left, 'profile.sb'), 'text');
  const others = [
    `lumenflow-call-${namespace}-1-init`,
    `lumenflow-call-1${namespace}-${endedPid}-container`,
    `lumenflow-other-${namespace}-${endedPid}-kind`,
    `lumenflow-call-${namespace}-x-number`,
  ];
  for (const name of others) mkdirSync(join(root, name));
  symlinkSync(mine, join(root, `lumenflow-call-${namespace}-${endedPid}-link`));
  writeFileSync(join(root, `lumenflow-call-${namespace}-${endedPid}-file`), '');
  await reapOwnedFolders(root, 'lumenflow-call');
  const names = readdirSync(root);
  expect(names).not.toContain(left.slice(root.length + 1));
  expect(names).toEqual(
    expect.arrayContaining([
      mine.slice(root.length + 1),
      ...others,
      `lumenflow-call-${namespace}-${endedPid}-link`,
      `lumenflow-call-${namespace}-${endedPid}-file`,
    ]),
  );
});

test.skipIf(process.platform !== 'linux')('a folder name contains the namespace of its process id', async () => {
  const folder = await makeOwnedFolder(root, 'lumenflow-call');
  const namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0];
  expect(folder).toContain(`lumenflow-call-${namespace}-${process.pid}-`);
});

test('a folder that cannot be listed is left alone', async () => {
  await expect(reapOwnedFolders(join(root, 'missing'), 'lumenflow-call')).resolves.toBeUndefined();
});
