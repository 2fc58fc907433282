import {createProcessRegistry} from '@lumenflow/kernel/node';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {markInUse, pruneBuilds} from './prune-builds.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-builds-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

/** Creates a build that these processes used last, so many minutes ago. */
function build(name: string, minutes: number, users: readonly string[] = []): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const user of users) writeFileSync(join(path, `used-by.${user}`), '');
  const then = new Date(Date.now() - minutes * 60_000);
  utimesSync(path, then, then);
  return path;
}

const names = (): readonly string[] => readdirSync(folder).toSorted((a, b) => a.localeCompare(b));
/** Of this boot and these containers, but without a process of this id. */
const dead = createProcessRegistry().processId.replace(/\.[0-9]+\.([0-9]+)\.([0-9a-f]+)$/u, '.999999999.$1.$2');

test('keeps the newest 32 builds, and removes older ones and leftovers of dead processes', async () => {
  for (let number = 0; number < 40; number += 1) build(`b${String(number).padStart(2, '0')}`, number, [dead]);
  await pruneBuilds(folder);
  expect(names()).toEqual(Array.from({length: 32}, (_, number) => `b${String(number).padStart(2, '0')}`));
});

test('keeps builds that a live process uses, whatever their age; each use makes a build newer', async () => {
  const used = build('used', 9_000, [createProcessRegistry().processId]);
  const marked = build('marked', 9_000);
  const old = build('old', 9_000);
  for (let number = 0; number < 31; number += 1) build(`b${number}`, number);
  await markInUse(marked);
  await markInUse(marked);
  expect(readdirSync(marked)).toHaveLength(1);
  await pruneBuilds(folder);
  expect([used, marked, old].map((path) => existsSync(path))).toEqual([true, true, false]);
  for (let number = 0; number < 40; number += 1) build(`c${number}`, 0);
  const then = new Date(0);
  utimesSync(marked, then, then);
  await pruneBuilds(folder);
  expect([used, marked].map((path) => existsSync(path))).toEqual([true, true]);
});

test('keeps unfinished work for a day', async () => {
  build('.building-old', 2_000);
  build('.pruned-old', 2_000);
  build('.building-new', 10);
  await pruneBuilds(folder);
  expect(names()).toEqual(['.building-new']);
});

test('marking a missing build does not create it; a missing folder is reported', async () => {
  await markInUse(join(folder, 'none'));
  expect(names()).toEqual([]);
  await expect(pruneBuilds(join(folder, 'none'))).rejects.toMatchObject({code: 'ENOENT'});
});
