import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Change} from './change.ts';
import {lookAtOnce} from './entry.ts';
import {syncAhead} from './sync-ahead.ts';

test('a deleted file is not synced', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sync-ahead-'));
  const source = join(folder, 'large');
  writeFileSync(source, Buffer.alloc(5 * 1024 * 1024));
  const after = lookAtOnce(source);
  if (after === undefined) throw new Error('there is no file');
  const change: Change = {path: 'large', kind: 'created', after, source, isMade: true};
  await expect(syncAhead([change])).resolves.toBeUndefined();
  rmSync(folder, {recursive: true});
  await expect(syncAhead([change])).resolves.toBeUndefined();
});
