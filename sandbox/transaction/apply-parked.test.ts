// Changes that waited are applied as those of a call are: into read-only directories, and never under an open file.
import {createHash} from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ChangeEntry, ChangeSet, EntryState} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createTransactions, type Transactions} from './create-transactions.ts';
import {describeChanges} from './describe-changes.ts';
import {lookAtOnce} from './entry.ts';
import {isState} from './is-state.ts';
import {valueOf} from '../testing/value-of.fixture.ts';

let base: string;
let root: string;
let transactions: Transactions;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'parked-')));
  root = join(base, 'work');
  mkdirSync(root);
  transactions = createTransactions({
    root,
    processes: {processId: 'abcdef01.4026531836.2.2.aabbccddeeff', isAlive: () => true},
    stateFolder: join(base, 'state'),
  });
});
afterEach(() => {
  for (const folder of ['locked', 'made']) if (existsSync(join(root, folder))) chmodSync(join(root, folder), 0o755);
  rmSync(base, {recursive: true, force: true});
});

const directory = (mode: number): EntryState => ({kind: 'directory', mode});
const file = (content: string, mode = 0o644): EntryState => ({
  kind: 'file',
  mode,
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
});

/** `contents`: what files get. */
async function park(entries: readonly ChangeEntry[], contents: readonly string[]): Promise<ChangeSet> {
  const made = valueOf(
    await transactions.make({
      access: {allows: () => true, whyNot: () => ({message: '', details: {}})},
      entries,
      content: async ({sha256}) => contents.find((content) => file(content).sha256 === sha256) ?? '',
    }),
  );
  await made.park('rcp-1');
  await made.close();
  return {base: '', digest: '', entries: [...entries]};
}

test('a directory that its user may not write to is filled first, and one that was there is opened for the change', async () => {
  mkdirSync(join(root, 'locked'));
  writeFileSync(join(root, 'locked/file'), 'old');
  chmodSync(join(root, 'locked'), 0o555);
  const changes = await park(
    [
      {path: 'locked/file', op: 'modify', before: file('old'), after: file('new')},
      {path: 'made', op: 'create', after: directory(0o555)},
      {path: 'made/file', op: 'create', after: file('made', 0o600)},
    ],
    ['new', 'made'],
  );
  expect(await transactions.parked.apply('rcp-1', changes)).toEqual({
    state: 'applied',
    written: ['locked/file', 'made/file'],
  });
  expect([readFileSync(join(root, 'locked/file'), 'utf8'), readFileSync(join(root, 'made/file'), 'utf8')]).toEqual([
    'new',
    'made',
  ]);
  const modes = ['locked', 'made', 'made/file'].map((path) => lstatSync(join(root, path)).mode & 0o777);
  expect(modes).toEqual([0o555, 0o555, 0o600]);
});

test('a file that a program has open for writing is a conflict until it is closed', async () => {
  writeFileSync(join(root, 'open'), 'old');
  const changes = await park([{path: 'open', op: 'modify', before: file('old'), after: file('new')}], ['new']);
  const fd = openSync(join(root, 'open'), 'r+');
  try {
    expect(await transactions.parked.apply('rcp-1', changes)).toMatchObject({state: 'conflict', conflicts: ['open']});
  } finally {
    closeSync(fd);
  }
  expect(readFileSync(join(root, 'open'), 'utf8')).toBe('old');
  expect(await transactions.parked.apply('rcp-1', changes)).toMatchObject({state: 'applied'});
  expect(readFileSync(join(root, 'open'), 'utf8')).toBe('new');
});

describe('a file above 1 GiB', () => {
  const large = 1024 ** 3 + 4096;
  const describeLarge = async (kind: 'created' | 'deleted', size: number): Promise<EntryState | undefined> => {
    writeFileSync(join(root, 'large'), '');
    truncateSync(join(root, 'large'), size);
    const entry = lookAtOnce(join(root, 'large'));
    if (entry === undefined) throw new Error('no file');
    const change = kind === 'created' ? {path: 'large', kind, after: entry} : {path: 'large', kind, before: entry};
    const [described] = await describeChanges([change], {root, view: root, ...(size < large && {hashedMax: size - 1})});
    return described?.before ?? described?.after;
  };

  test('that a call wrote is bound by its content', async () => {
    const state = await describeLarge('created', 4096);
    expect(state).toMatchObject({bytes: 4096, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string});
    expect(state).not.toHaveProperty('identity');
  });

  test('that was there before is bound by its identity: a byte changed in place is detected, even if its time was reset', async () => {
    const state = await describeLarge('deleted', large);
    expect(state).toMatchObject({bytes: large, identity: expect.any(String) as string});
    expect(state).not.toHaveProperty('sha256');
    const path = join(root, 'large');
    const {atime, mtime} = lstatSync(path);
    expect(await isState(state, lookAtOnce(path), path)).toBe(true);
    const fd = openSync(path, 'r+');
    writeSync(fd, 'x', 100);
    closeSync(fd);
    utimesSync(path, atime, mtime);
    expect(await isState(state, lookAtOnce(path), path)).toBe(false);
  });
});
