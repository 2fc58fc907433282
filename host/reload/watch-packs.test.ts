// A watch reports every edit, also right after the one before.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {watchPacks, type PackWatch} from './watch-packs.ts';

let folder: string;
let watch: PackWatch | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-watch-'));
});
afterEach(async () => {
  await watch?.close();
  rmSync(folder, {recursive: true, force: true});
});

test.each([0, 5, 10, 15, 20, 30, 45, 60])('an edit %i ms after a reload causes the next one', async (pauseMs) => {
  const file = join(folder, 'manifest.yaml');
  writeFileSync(file, 'first');
  const onChange = vi.fn<() => Promise<void>>(async () => undefined);
  watch = watchPacks({paths: [folder], onChange, onError: (error) => expect.unreachable(error.message)});
  await watch.ready;

  writeFileSync(file, 'second');
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1), {timeout: 60_000, interval: 1});
  await sleep(pauseMs);
  writeFileSync(file, 'third, and longer');
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2), {timeout: 60_000, interval: 1});
});
