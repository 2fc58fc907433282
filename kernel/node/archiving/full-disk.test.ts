// A disk that becomes full while the log is signed, archived or salvaged, or while a snapshot is written. The disk is a separate file
// system of 2 MiB, which only root can mount.
import {spawnSync} from 'node:child_process';
import {appendFileSync, mkdtempSync, readdirSync, rmdirSync, rmSync, truncateSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {salvageState} from '../salvage/salvage-state.ts';
import type {SignedState} from '../state/signed-state.fixture.ts';
import {createArchivedHome, later, recordCall, type ArchivedHome} from './archived-state.fixture.ts';

const disk = mkdtempSync(join(tmpdir(), 'lumenflow-full-disk-'));
const canMount =
  process.getuid?.() === 0 && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]).status === 0;
const filler = join(disk, 'filler');

let home: ArchivedHome;
let state: SignedState;

beforeEach(async () => {
  if (!canMount) return;
  home = createArchivedHome(disk);
  state = await home.open({rotateBytes: 1_500, durability: 'process'});
  for (const id of ['call-1', 'call-2', 'call-3']) await recordCall(state, id);
});
afterEach(async () => {
  rmSync(filler, {force: true});
  if (canMount) await home.remove();
});
afterAll(() => {
  if (canMount) expect(spawnSync('umount', [disk]).status).toBe(0);
  rmdirSync(disk);
});

/** Leaves less than a page. */
function fill(): void {
  for (const bytes of [65_536, 4_096]) {
    for (;;) {
      try {
        appendFileSync(filler, Buffer.alloc(bytes));
      } catch (error) {
        expect(error).toMatchObject({code: 'ENOSPC'});
        break;
      }
    }
  }
}

const makeRoom = (): void => rmSync(filler);

async function expectFull(work: Promise<unknown>): Promise<void> {
  await expect(work).rejects.toMatchObject({message: expect.stringContaining('ENOSPC')});
}

describe.skipIf(!canMount)('on a full disk', () => {
  test('a checkpoint fails, and is signed once there is room', async () => {
    fill();
    await expectFull(state.signed.checkpoint());
    expect((await state.evidence.read({limit: 10})).receipts).toHaveLength(3);
    makeRoom();
    await state.signed.checkpoint();
    expect(await home.verify()).toMatchObject({status: 'verified', records: 6, findings: []});
  });

  test('a snapshot of the state is not kept, and the state opens', async () => {
    await state.signed.checkpoint();
    fill();
    await state.events.snapshots?.keep('x'.repeat(100_000), later.at).catch(() => undefined);
    makeRoom();
    expect(state.events.snapshots?.newest()).toBeUndefined();
    const again = await home.open({rotateBytes: 1_500});
    await recordCall(again, 'after');
    await again.signed.checkpoint();
    expect(await home.verify()).toMatchObject({status: 'verified', records: 8, findings: []});
  });

  test('archiving stops, removes nothing that is not archived, and continues', async () => {
    await state.signed.checkpoint();
    fill();
    await expectFull(state.archive?.(later) ?? Promise.resolve());
    expect((await home.verify()).findings).toEqual([]);
    makeRoom();
    expect((await state.archive?.(later))?.segments).not.toEqual([]);
    await state.signed.checkpoint();
    expect(await home.verify()).toMatchObject({status: 'verified', records: 6, blobs: 6, findings: []});
  });

  test('a salvage cuts nothing that it cannot put aside, and is repeated', async () => {
    await state.signed.checkpoint();
    await state.close();
    const traces = join(home.stateFolder, 'evidence', 'traces');
    const last = join(traces, readdirSync(traces).findLast((name) => name.endsWith('.jsonl')) ?? '');
    truncateSync(last, statSync(last).size - 50);
    const size = statSync(last).size;
    const order = {by: 'ann', at: later.at, reason: 'the disk was full'};
    const salvage = () =>
      salvageState({stateFolder: home.stateFolder, processes: createProcessRegistry(), order, archive: home.store});
    fill();
    await expectFull(salvage());
    expect(statSync(last).size).toBe(size);
    makeRoom();
    expect(await salvage()).toMatchObject([{manifest: {log: 'traces', position: {seq: 5}, known_lines: 6}}]);
    const again = await home.open({rotateBytes: 1_500});
    await again.signed.checkpoint();
    const {status, findings} = await home.verify();
    expect({status, findings}).toEqual({status: 'truncated', findings: [expect.stringContaining('were salvaged at')]});
  });
});
