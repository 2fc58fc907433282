import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {verifyProof} from '@lumenflow/kernel/adapters';
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest';
import {parseVerifierKey} from './note-key.ts';
import {tileBytes, tileFilePath} from './tile-file.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {openSignedState, type SignedState} from '../state/signed-state.fixture.ts';
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
        ids.flatMap((id) => [startedRecord(id), finishedRecord(id)]),
        {fsync: false},
      );
    }
  });
});
afterAll(() => rmSync(root, {recursive: true}));

async function withState<T>(work: (state: SignedState) => Promise<T>): Promise<T> {
  const state = await openSignedState({
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
  await withState(async ({signed}) => {
    for (const id of ids) expect(verifyProof(await signed.prove(id), ports)).toMatchObject({valid: true});
  });
}

const frontier = (): string => join(root, 'kernel', 'index', 'traces-frontier.json');

/** The file of the tiles over the records themselves. */
const tiles = (): string => tileFilePath(tree, 0);

describe('tiles', () => {
  test('are written for each 256 records', () => {
    expect(readdirSync(join(tree, 'tiles'))).toEqual(['0']);
    expect(readFileSync(tiles())).toHaveLength(15 * tileBytes);
  });
});

function zeroTile(index: number): void {
  const bytes = readFileSync(tiles());
  writeFileSync(tiles(), bytes.fill(0, index * tileBytes, (index + 1) * tileBytes));
}

describe('proofs over tiles', () => {
  const some = ['r0', 'r127', 'r128', 'r1000', `r${calls - 1}`];

  test('are valid at the edges of tiles, and read few of them', async () => {
    await expectProven(...some);
    const whole = readFileSync(tiles());
    zeroTile(1);
    zeroTile(3);
    const damaged = readFileSync(tiles());
    const before = readFileSync(frontier(), 'utf8');
    await expectProven('r1000');
    expect(readFileSync(frontier(), 'utf8')).toBe(before);
    expect(readFileSync(tiles()).equals(damaged)).toBe(true);
    writeFileSync(tiles(), whole);
  });

  test.each<[string, () => void]>([
    ['gone', () => rmSync(tiles())],
    ['cut', () => truncateSync(tiles(), 32)],
    ['a hole', () => zeroTile(0)],
  ])('that are %s are made anew from the log', async (_, damage) => {
    const whole = readFileSync(tiles());
    damage();
    await expectProven('r1', 'r1900');
    expect(readFileSync(tiles()).equals(whole)).toBe(true);
  });

  test('are made from the log where an earlier version left a file for each tile', async () => {
    const whole = readFileSync(tiles());
    rmSync(join(tree, 'tiles'), {recursive: true});
    mkdirSync(join(tree, 'tile', '0'), {recursive: true});
    for (let tile = 0; tile < 15; tile += 1) {
      const name = join(tree, 'tile', '0', String(tile).padStart(3, '0'));
      writeFileSync(name, whole.subarray(tile * tileBytes, (tile + 1) * tileBytes));
    }
    await withState(async ({evidence, signed}) => {
      expect((await signed.verify()).status).toBe('verified');
      await evidence.append([startedRecord('later'), finishedRecord('later')], {fsync: false});
    });
    expect(existsSync(join(tree, 'tile'))).toBe(false);
    expect(readFileSync(tiles()).equals(whole)).toBe(true);
    await expectProven(...some, 'later');
  });

  test('are valid with missing, old or wrong files beside them', async () => {
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
    await withState(async ({evidence, signed}) => {
      await evidence.receipt('r1');
      writeFileSync(join(folder, first), text.replace('"result":"success"', '"result":"failure"'));
      await expect(signed.prove('r0')).rejects.toMatchObject({code: 'LOG_CORRUPT'});
    });
    writeFileSync(join(folder, first), text);
    await expectProven('r0');
  });
});

describe('verification', () => {
  const verify = async () => await verifyEvidence(join(root, 'kernel'), {keyFolder: join(root, 'keys')});
  let whole: Buffer;
  beforeAll(() => {
    whole = readFileSync(tiles());
  });
  afterEach(() => writeFileSync(tiles(), whole));

  test('finds a tile that is not of the log', async () => {
    expect((await verify()).status).toBe('verified');
    const changed = Buffer.from(whole);
    changed[3 * tileBytes + 100] = (changed[3 * tileBytes + 100] ?? 0) ^ 1;
    writeFileSync(tiles(), changed);
    const finding = `\`${tiles()}\`: tile 3 is not that of the tree over the log`;
    expect(await verify()).toMatchObject({status: 'tampered', findings: [finding]});
    writeFileSync(tiles(), whole.subarray(0, 4 * tileBytes - 1));
    expect(await verify()).toMatchObject({status: 'tampered', findings: [finding]});
  });

  test('misses none: what is gone, cut off or a hole can be made again', async () => {
    zeroTile(3);
    expect((await verify()).status).toBe('verified');
    truncateSync(tiles(), 4 * tileBytes);
    expect((await verify()).status).toBe('verified');
    rmSync(tiles());
    expect((await verify()).status).toBe('verified');
  });

  test('does not read beyond the newest checkpoint, where data may be partial', async () => {
    const notes = readdirSync(tree).filter((name) => name.endsWith('.note'));
    const kept = notes.map((name) => [join(tree, name), readFileSync(join(tree, name))] as const);
    writeFileSync(tiles(), Buffer.from(whole).fill(7, tileBytes));
    expect((await verify()).status).toBe('tampered');
    for (const [path] of kept) rmSync(path);
    const findings = [expect.stringContaining('behind the newest signed checkpoint')];
    expect(await verify()).toMatchObject({status: 'unsigned_tail', findings});
    for (const [path, note] of kept) writeFileSync(path, note);
  });
});
