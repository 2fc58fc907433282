// `lumenflow sandbox doctor --fresh` repeats the trials of earlier hosts.
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {assertBuilt, makeFolder, runForJson} from '../../support/lumenflow-program.ts';

const folder = makeFolder();
beforeAll(assertBuilt);
afterAll(() => folder.remove());

test('results of earlier trials are removed, and nothing else', async () => {
  const cache = join(folder.path, `lumenflow-guests-${process.geteuid?.()}`);
  mkdirSync(cache, {mode: 0o700});
  const [earlier, system] = [join(cache, 'trial-of-an-earlier-host'), join(cache, 'system')];
  for (const path of [earlier, system]) writeFileSync(path, '{}');
  const {document} = await runForJson(['sandbox', 'doctor', '--fresh'], {
    cwd: folder.path,
    env: {TMPDIR: folder.path},
  });
  expect(document['report']).toMatchObject({platform: expect.stringContaining(process.platform)});
  expect([existsSync(earlier), existsSync(system)]).toEqual([false, true]);
});
