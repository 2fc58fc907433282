import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {keepNewestCreated, readNewestCreated} from './newest-created.ts';

test('the newest time outlives the process', () => {
  const root = mkdtempSync(join(tmpdir(), 'lumenflow-newest-'));
  try {
    const file = join(root, 'newest-created');
    expect(readNewestCreated(file)).toBe(0);
    for (const created of [1_800_000_000, 1_800_000_007]) keepNewestCreated(file, created);
    expect(readNewestCreated(file)).toBe(1_800_000_007);
    expect(readdirSync(root)).toEqual(['newest-created']);
  } finally {
    rmSync(root, {recursive: true});
  }
});
