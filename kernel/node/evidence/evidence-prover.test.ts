import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {verifyProof} from '@lumenflow/kernel';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {parseVerifierKey} from '../checkpoints/note-key.ts';
import {tilePath} from '../checkpoints/tree-tiles.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {finishRecord, startRecord} from '../state/example-records.fixture.ts';
import {openFileState, type FileState} from '../state/open-file-state.ts';
import {sha256Bytes} from '../system/sha256.ts';
import {verifyEvidence} from '../verify/verify-evidence.ts';

const calls = 2_000;
const ports = {sha256: sha256Bytes, parseVerifierKey};
let root: string;
let tree: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-prover-'));
  tree = join(root, 'kernel', 'evidence', 'tree', 'traces');
  await withState(async ({evidence}) => {
    for (let call = 0; call < calls; call += 500) {
      const ids = Array.from({length: 500}, (_, index) => `r${call + index}`);
      await evidence.append(
        ids.flatMap((id) => [startRecord(id), finishRecord(id)]),
        {fsync: false},
      );
    }
  });
});
afterAll(() => rmSync(root, {recursive: true}));

async function withState<T>(work: (state: FileState) => Promise<T>): Promise<T> {
  const state = await openFileState({
    stateFolder: join(root, 'kernel'),
    keyFolder: join(root, 'keys'),
    processes: createProcessRegistry(),
    durability: 'process',
  });
  try {
    return await work(state);
  } finally {
    await state.close();
  }
}

async function expectProven(...ids: readonly string[]): Promise<void> {
  await withState(async ({evidence}) => {
    for (const id of ids) expect(verifyProof(await evidence.prove(id), ports)).toMatchObject({valid: true});
  });
}

const frontier = (): string => join(root, 'kernel', 'index', 'traces-frontier.json');

describe('tiles', () => {
  test('are written for each 256 records', () => {
    expect(readdirSync(join(tree, 'tile'))).toEqual(['0']);
    expect(readdirSync(join(tree, 'tile', '0'))).toHaveLength(15);
    expect(readFileSync(tilePath(tree, 0, 14))).toHaveLength(8_192);
  });
});

describe('proofs over tiles', () => {
  const some = ['r0', 'r127', 'r128', 'r1000', `r${calls - 1}`];

  test('hold at the edges of tiles, and read few of them', async () => {
    await expectProven(...some);
    for (const name of ['001', '003']) rmSync(join(tree, 'tile', '0', name));
    const before = readFileSync(frontier(), 'utf8');
    await expectProven('r1000');
    expect(readFileSync(frontier(), 'utf8')).toBe(before);
    expect(existsSync(join(tree, 'tile', '0', '001'))).toBe(false);
  });

  test.each<[string, (path: string) => void]>([
    ['gone', rmSync],
    ['cut', (path) => truncateSync(path, 32)],
    ['changed', (path) => writeFileSync(path, Buffer.alloc(8_192))],
  ])('that are %s are made anew from the log', async (_, damage) => {
    const path = tilePath(tree, 0, 0);
    const whole = readFileSync(path);
    damage(path);
    await expectProven('r1', 'r1900');
    expect(readFileSync(path).equals(whole)).toBe(true);
    expect(readFileSync(tilePath(tree, 0, 1))).toHaveLength(8_192);
  });

  test('hold when what was kept beside them is gone, old or wrong', async () => {
    const kept = readFileSync(frontier(), 'utf8');
    for (const text of [
      '',
      kept.replace(/"tiles":\[.*\]/u, '"tiles":[]'),
      kept.replace(/"tiles":\["..../u, '"tiles":["AAAA'),
    ]) {
      writeFileSync(frontier(), text);
      await expectProven('r0', `r${calls - 1}`);
    }
    rmSync(join(root, 'kernel', 'index'), {recursive: true});
    await expectProven('r0', `r${calls - 1}`);
  });

  test('are not made over records that are not those that were signed', async () => {
    const folder = join(root, 'kernel', 'evidence', 'traces');
    const [first = ''] = readdirSync(folder);
    const text = readFileSync(join(folder, first), 'utf8');
    await withState(async ({evidence}) => {
      await evidence.receipt('r1');
      writeFileSync(join(folder, first), text.replace('"result":"success"', '"result":"failure"'));
      await expect(evidence.prove('r0')).rejects.toMatchObject({code: 'LOG_CORRUPT'});
    });
    writeFileSync(join(folder, first), text);
    await expectProven('r0');
  });
});

test('verification finds a tile that is not of the log', async () => {
  const path = tilePath(tree, 0, 3);
  const bytes = readFileSync(path);
  const changed = Buffer.from(bytes);
  changed[100] = (changed[100] ?? 0) ^ 1;
  const verify = async () => await verifyEvidence(join(root, 'kernel'), {keyFolder: join(root, 'keys')});
  expect((await verify()).status).toBe('verified');
  writeFileSync(path, changed);
  expect(await verify()).toMatchObject({status: 'tampered', findings: [expect.stringContaining(path)]});
  rmSync(path);
  expect((await verify()).status).toBe('verified');
  writeFileSync(path, bytes);
});
