import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {createHmac, randomUUID} from 'node:crypto';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createTransactions, type Transactions} from './create-transactions.ts';
import {identity} from './entry.ts';
import type {RecoveryNote} from './recovery-note.ts';

const dead = 'abcdef01.4026531836.1.1.aabbccddeeff';
const header = 'lumenflow-journal 2 ';
let base: string;
let root: string;
let all: string;
let notes: RecoveryNote[];

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'recover-')));
  root = join(base, 'work');
  all = join(root, '.lumenflow/transactions');
  mkdirSync(all, {recursive: true});
  writeFileSync(join(root, 'file'), 'as it is');
  notes = [];
});
afterEach(() => rmSync(base, {recursive: true, force: true}));

const transactions = (): Transactions =>
  createTransactions({
    root,
    processes: {processId: 'abcdef01.4026531836.2.2.aabbccddeeff', isAlive: () => false},
    stateFolder: join(base, 'state'),
    onRecovered: (note) => notes.push(note),
  });

async function keyOf(): Promise<Buffer> {
  const folder = leave(randomUUID(), {});
  writeFileSync(join(folder, 'journal'), '');
  await transactions().recover();
  rmSync(join(root, '.lumenflow/recovered'), {recursive: true, force: true});
  notes = [];
  return readFileSync(join(base, 'state/journal.key'));
}

/** What a process that died has left. */
function leave(id: string, old: Readonly<Record<string, string>>): string {
  const folder = join(all, `${dead}~${id}`);
  for (const name of ['old', 'new']) mkdirSync(join(folder, name), {recursive: true});
  for (const [number, content] of Object.entries(old)) writeFileSync(join(folder, 'old', number), content);
  return folder;
}

function signed(body: string, key: Buffer): string {
  return `${header}${createHmac('sha256', key).update(header).update(body).digest('hex')}\n${body}`;
}

const rootIdentity = (): string => identity(lstatSync(root, {bigint: true}));
const bodyOf = (id: string, steps: unknown): string => JSON.stringify({id, root: rootIdentity(), steps});

describe('a journal that LumenFlow did not write is not obeyed', () => {
  test.each([
    ['signed with another key', (id: string) => signed(bodyOf(id, [{number: 0, path: 'planted'}]), Buffer.alloc(32))],
    ['of the first version', () => JSON.stringify({version: 1, steps: [{number: 0, path: '../planted'}]})],
    ['empty', () => ''],
    ['malformed', () => '[]}'],
  ])('%s', async (_what, journal) => {
    const id = randomUUID();
    writeFileSync(join(leave(id, {0: 'planted'}), 'journal'), journal(id));
    await transactions().recover();
    expect(readdirSync(base).toSorted()).toEqual(['state', 'work']);
    expect(existsSync(join(root, 'planted'))).toBe(false);
    expect(notes).toMatchObject([{kind: 'set_aside', where: `.lumenflow/recovered/${id}`}]);
    expect(readFileSync(join(root, '.lumenflow/recovered', id, 'transaction/old/0'), 'utf8')).toBe('planted');
    notes = [];
    await transactions().recover();
    expect(notes).toEqual([]);
  });

  test('of another transaction, of another workspace, or with an additional line', async () => {
    const key = await keyOf();
    const id = randomUUID();
    const steps = [{number: 0, path: 'planted'}];
    const journals = [
      signed(bodyOf(randomUUID(), steps), key),
      signed(JSON.stringify({id, root: '1:1', steps}), key),
      `${signed(bodyOf(id, steps), key)}\n`,
    ];
    for (const journal of journals) {
      writeFileSync(join(leave(id, {0: 'planted'}), 'journal'), journal);
      await transactions().recover();
      expect(existsSync(join(root, 'planted'))).toBe(false);
      rmSync(join(root, '.lumenflow/recovered'), {recursive: true});
    }
    expect(notes.map(({kind}) => kind)).toEqual(['set_aside', 'set_aside', 'set_aside']);
  });
});

test.each([
  {number: 0, path: '../planted'},
  {number: 0, path: '/tmp/planted'},
  {number: 0, path: 'a/./planted'},
  {number: 0, path: 'a//planted'},
  {number: 0, path: ''},
  {number: 0, path: 'sub/.lumenflow/planted'},
  {number: -1, path: 'planted'},
  {number: 0.5, path: 'planted'},
  {number: '0/../../x', path: 'planted'},
  {number: 0},
  {number: 0, path: 'file', modes: [0o10000, 0]},
  {number: 0, path: 'planted', had: 'x'},
  {number: 0, path: 'planted', mode: 1},
])('a signed journal with the step %o is not obeyed either', async (step) => {
  const key = await keyOf();
  const id = randomUUID();
  writeFileSync(join(leave(id, {0: 'planted'}), 'journal'), signed(bodyOf(id, [step]), key));
  await transactions().recover();
  expect(notes).toMatchObject([{kind: 'set_aside', message: expect.stringContaining('malformed step')}]);
  expect(existsSync(join(root, 'planted')) || existsSync(join(base, 'planted'))).toBe(false);
});

test('a folder without the name of a transaction is not touched', async () => {
  const names = ['dead~1', 'parked', `${dead}~1`, `x~${randomUUID()}`, `..~${randomUUID()}`];
  for (const name of names) mkdirSync(join(all, name));
  writeFileSync(join(all, 'dead~1/journal'), 'x');
  await transactions().recover();
  expect(readdirSync(all).toSorted()).toEqual(names.toSorted());
  expect(notes).toEqual([]);
});

test('a folder that cannot be recovered blocks neither other folders nor calls', async () => {
  const key = await keyOf();
  const [bad, good] = ['00000000-0000-4000-8000-000000000000', randomUUID()];
  writeFileSync(join(leave(bad, {}), 'journal'), 'x');
  const folder = leave(good, {0: 'as it was'});
  const had = identity(lstatSync(join(folder, 'old/0'), {bigint: true}));
  rmSync(join(root, 'file'));
  writeFileSync(join(folder, 'journal'), signed(bodyOf(good, [{number: 0, path: 'file', had}]), key));
  await transactions().recover();
  expect(readFileSync(join(root, 'file'), 'utf8')).toBe('as it was');
  expect(notes.map(({kind}) => kind)).toEqual(['set_aside', 'undone']);
  expect(readdirSync(all)).toEqual([]);
});

test('litter is removed with any modes and at any depth', async () => {
  const folder = leave(randomUUID(), {});
  let deep = folder;
  for (let depth = 0; depth < 15; depth++) mkdirSync((deep = join(deep, 'd'.repeat(200))));
  mkdirSync(join(folder, 'closed/inside'), {recursive: true});
  writeFileSync(join(folder, 'closed/inside/file'), '');
  chmodSync(join(folder, 'closed/inside'), 0o555);
  chmodSync(join(folder, 'closed'), 0);
  await transactions().recover();
  expect(readdirSync(all)).toEqual([]);
  expect(notes).toEqual([]);
});

test('a link in place of the folder of transactions is not followed', async () => {
  const elsewhere = join(base, 'elsewhere');
  mkdirSync(join(elsewhere, `${dead}~${randomUUID()}`, 'old'), {recursive: true});
  rmSync(all, {recursive: true});
  symlinkSync(elsewhere, all);
  await transactions().recover();
  expect(readdirSync(elsewhere)).toHaveLength(1);
  expect(notes).toMatchObject([{kind: 'unreadable'}]);
});

test('a key that others can write is not used', async () => {
  mkdirSync(join(base, 'state'));
  writeFileSync(join(base, 'state/journal.key'), Buffer.alloc(32), {mode: 0o644});
  const id = randomUUID();
  writeFileSync(
    join(leave(id, {0: 'planted'}), 'journal'),
    signed(bodyOf(id, [{number: 0, path: 'planted'}]), Buffer.alloc(32)),
  );
  await transactions().recover();
  expect(existsSync(join(root, 'planted'))).toBe(false);
  expect(notes).toMatchObject([{kind: 'set_aside', message: expect.stringContaining('journal.key')}]);
});
