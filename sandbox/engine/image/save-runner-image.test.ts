import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {saveRunnerImage} from './save-runner-image.ts';

const folder = mkdtempSync(join(tmpdir(), 'lumenflow-saved-image-'));
afterAll(() => rmSync(folder, {recursive: true}));
const failure = (reason: string): object => ({
  ok: false,
  problem: {message: expect.stringContaining(`the runner image could not be saved (\`${reason}: `)},
});

test('a file that exists is left alone, and a directory is not created', async () => {
  const [kept, absent] = [join(folder, 'kept'), join(folder, 'absent')];
  writeFileSync(kept, 'kept');
  expect(await saveRunnerImage(kept)).toMatchObject(failure('EEXIST'));
  expect(readFileSync(kept, 'utf8')).toBe('kept');
  expect(await saveRunnerImage(join(absent, 'runner.tar'))).toMatchObject(failure('ENOENT'));
  expect(existsSync(absent)).toBe(false);
});

test('a part of an image is removed', async () => {
  const path = join(folder, 'part.tar');
  expect(await saveRunnerImage(path, join(folder, 'no-node'))).toMatchObject(failure('ENOENT'));
  expect(existsSync(path)).toBe(false);
});
