import type {LockedPack, ToolTerms} from '@lumenflow/schemas';
import {mkdir, mkdtemp, readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {assert, dictionary, jsonValue, property, record, string, stringMatching} from 'fast-check';
import {expect, onTestFinished, test} from 'vitest';
import {lockText, readLock, writeLock} from './packs-lock.ts';
import {changesSince} from './review-tools.ts';
import {digestOf} from './tool-terms.ts';

async function folder(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'lumenflow-lock-'));
  onTestFinished(async () => await rm(root, {recursive: true}));
  return root;
}

const terms: ToolTerms = {description: 'Greets', permission: 'read', input_schema: {type: 'object'}};

function pack(tools: Readonly<Record<string, ToolTerms>>): LockedPack {
  return {
    version: '1.0.0',
    source: 'local',
    from: 'packs/a',
    integrity: `sha256:${'0'.repeat(64)}`,
    tools: Object.fromEntries(Object.entries(tools).map(([name, its]) => [name, {digest: digestOf(its), terms: its}])),
  };
}

test('written terms are read back unchanged, and no temporary file is left', async () => {
  const root = await folder();
  const schemas = dictionary(string({unit: 'grapheme'}), jsonValue({maxDepth: 3, stringUnit: 'grapheme'}));
  const texts: string[] = [];
  assert(
    property(
      dictionary(
        stringMatching(/^[a-z]{1,8}$/u),
        record({description: string({unit: 'grapheme'}), input_schema: schemas}),
      ),
      (tools) => {
        const plain = JSON.parse(JSON.stringify(tools)) as typeof tools;
        const full = Object.entries(plain).map(([name, its]) => [name, {...its, permission: 'read'}] as const);
        texts.push(lockText(new Map([['a', pack(Object.fromEntries(full) as Record<string, ToolTerms>)]])));
      },
    ),
    {numRuns: 30},
  );
  const {writeFile} = await import('node:fs/promises');
  for (const text of texts) {
    await writeFile(join(root, 'packs.lock'), text);
    const {packs, problems} = await readLock(root);
    expect(problems).toEqual([]);
    expect(lockText(packs)).toBe(text);
  }
  await writeLock(root, new Map());
  expect(await readdir(root)).toEqual(['packs.lock']);
});

test('a missing file is an empty lock; a folder in its place is a problem', async () => {
  const root = await folder();
  expect(await readLock(root)).toMatchObject({problems: []});
  await mkdir(join(root, 'packs.lock'));
  const read = await readLock(root);
  expect(read.problems).toMatchObject([{code: 'PACK_LOCK_INVALID', message: 'the file cannot be read: EISDIR'}]);
  await expect(writeLock(root, new Map())).rejects.toThrow('EISDIR');
  expect(await readdir(root)).toEqual(['packs.lock']);
});

test('the order of keys is not a change; a word, an absent schema and an empty list are', () => {
  const locked = pack({a: terms});
  const changes = (found: ToolTerms): unknown =>
    changesSince(locked, new Map([['a', found]])).map(({kind, terms: names}) => [kind, ...names]);
  expect(changes({input_schema: {type: 'object'}, permission: 'read', description: 'Greets'})).toEqual([]);
  expect(changes({...terms, description: 'Greets.'})).toEqual([['changed', 'description']]);
  expect(changes({description: 'Greets', permission: 'read'})).toEqual([['changed', 'input_schema']]);
  expect(changes({...terms, required_env: []})).toEqual([['changed', 'required_env']]);
  expect(changes({...terms, permission: 'admin', input_schema: {}})).toEqual([
    ['changed', 'permission', 'input_schema'],
  ]);
});

test('an approval is written in the same position whether a pack was approved before or not', () => {
  const {tools, ...origin} = pack({a: terms});
  const approval = {approved_by: 'ada', approved_at: '2026-01-02T03:04:05Z'};
  const first = lockText(new Map([['a', {...origin, tools, ...approval}]]));
  expect(first).toBe(lockText(new Map([['a', {...origin, ...approval, tools}]])));
});
