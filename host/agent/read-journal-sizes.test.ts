// Every journal's growth is reported, even from before its folder exists.
import {appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {readJournalSizes} from './read-journal-sizes.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-journals-'));
});
afterEach(() => rmSync(root, {recursive: true}));

test('each new journal and each new line changes the text', async () => {
  const reported = [await readJournalSizes(root)];
  const record = async () => void reported.push(await readJournalSizes(root));
  for (const folder of ['sessions', 'workflows']) {
    mkdirSync(join(root, folder));
    writeFileSync(join(root, folder, 'one'), '{}\n');
    await record();
    writeFileSync(join(root, folder, 'two'), '{}\n');
    await record();
    appendFileSync(join(root, folder, 'one'), '{}\n');
    await record();
  }
  expect(new Set(reported).size).toBe(7);
  await record();
  expect(reported.at(-1)).toBe(reported.at(-2));
});

test('an unreadable folder is not an empty one', async () => {
  writeFileSync(join(root, 'sessions'), 'a file');
  await expect(readJournalSizes(root)).rejects.toThrow('ENOTDIR');
});
