import {chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {openJournalKey} from './journal-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'journal-key-'));
afterAll(() => rmSync(folder, {recursive: true}));

test('is created once, for this user only', async () => {
  const [first, second] = await Promise.all([openJournalKey(join(folder, 'own')), openJournalKey(join(folder, 'own'))]);
  expect(first).toEqual(second);
  expect(readFileSync(join(folder, 'own/journal.key'))).toEqual(first);
});

test('that others could have written is refused', async () => {
  const own = join(folder, 'open');
  await openJournalKey(own);
  chmodSync(join(own, 'journal.key'), 0o644);
  await expect(openJournalKey(own)).rejects.toThrow('is not a key that only this user can read: remove it');
});

test('if it cannot be stored, the error names the directory and the variable to set', async () => {
  writeFileSync(join(folder, 'file'), '');
  await expect(openJournalKey(join(folder, 'file/state'))).rejects.toThrow(
    /file\/state` \(.*ENOTDIR.*: set XDG_STATE_HOME/,
  );
});
