import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {TaskSpec} from '@lumenflow/schemas';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {sha256Hex} from '../system/sha256.ts';
import {FileTaskStore} from './file-task-store.ts';

let folder: string;
let store: FileTaskStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-tasks-'));
  store = new FileTaskStore(folder);
});
afterEach(() => rmSync(folder, {recursive: true}));

const spec: TaskSpec = {
  id: 'task-1',
  lane_id: 'core',
  title: 'status: ok: 1',
  description: '0x10\n# no comment\n',
  declared_scopes: [{type: 'path', pattern: 'src/**', access: 'write'}],
  blocked_by: ['no', '1e3'],
  metadata: {
    yes: 'on',
    date: '2026-01-01',
    nested: {list: [1, '1', null, true, 'true', '~']},
    long: 'word '.repeat(60),
  },
};

test('a spec is read as it was created, with the hash of its bytes', async () => {
  const created = await store.create(spec);
  const read = await new FileTaskStore(folder).read('task-1');
  expect(read?.spec).toEqual(spec);
  const bytes = readFileSync(join(folder, 'task-1.yaml'));
  expect(read?.spec_hash).toBe(sha256Hex(bytes));
  expect(created).toEqual({spec_hash: read?.spec_hash});
  expect(statSync(join(folder, 'task-1.yaml')).mode & 0o777).toBe(0o600);
});

test('of many that create one task one wins, and it is never overwritten', async () => {
  const titles = Array.from({length: 20}, (_, index) => `title ${index}`);
  const outcomes = await Promise.all(titles.map((title) => new FileTaskStore(folder).create({...spec, title})));
  const winner = outcomes.findIndex((outcome) => outcome !== 'exists');
  expect(outcomes.filter((outcome) => outcome !== 'exists')).toHaveLength(1);
  expect((await store.read('task-1'))?.spec.title).toBe(titles[winner]);
  expect(readdirSync(folder)).toEqual(['task-1.yaml']);
});

test('there is none', async () => {
  expect(await store.read('task-2')).toBeUndefined();
});

test.each(['../escape', 'a/b', '', '.hidden', 'x'.repeat(129), 'a\0b'])('the id %j reaches no file', async (id) => {
  await expect(store.read(id)).rejects.toMatchObject({code: 'BROKEN_INVARIANT'});
  await expect(store.create({...spec, id})).rejects.toMatchObject({code: 'BROKEN_INVARIANT'});
});

test('an edited file has another hash; one that is not a spec is damage', async () => {
  const created = await store.create(spec);
  const path = join(folder, 'task-1.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('lane_id: core', 'lane_id: main'));
  const edited = await store.read('task-1');
  expect(edited?.spec.lane_id).toBe('main');
  expect(created).not.toEqual({spec_hash: edited?.spec_hash});
  for (const text of ['id: task-1\n', 'a: [', '', '- 1\n']) {
    writeFileSync(path, text);
    await expect(store.read('task-1')).rejects.toMatchObject({code: 'LOG_CORRUPT'});
  }
});

test('a missing folder is reported', async () => {
  rmSync(folder, {recursive: true});
  await expect(store.create(spec)).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
  writeFileSync(folder, '');
  await expect(store.read('task-1')).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
});
