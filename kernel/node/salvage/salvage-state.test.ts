// Damaged logs that open again, and what remains of the damage. A crash at any step loses nothing.
import {isKernelError} from '@lumenflow/kernel';
import {cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import type {TaskSpec} from '@lumenflow/schemas';
import type {LogName} from '../log/log-name.ts';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {claimEvent} from '../state/claim-event.fixture.ts';
import {openSignedState, type SignedState} from '../state/signed-state.fixture.ts';
import {sha256Hex} from '../system/sha256.ts';
import {verifyEvidence} from '../verify/verify-evidence.ts';
import {logFilesOf} from './log-files.ts';
import type {Salvage} from './put-aside.ts';
import {damageOf, salvageState} from './salvage-state.ts';

const order = {by: 'ann', at: '2026-11-26T12:00:00.000Z', reason: 'a disk failed'};
/** Several segments of each log, all signed. */
let template: string;
let root: string;
let stateFolder: string;

beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), 'lumenflow-damaged-'));
  for (const round of [1, 2, 3]) {
    await withState(template, async ({evidence, events}) => {
      for (const part of ['a', 'b']) {
        const id = `r${round}${part}`;
        await evidence.append([startedRecord(id), finishedRecord(id)], {fsync: false});
      }
      await events.transact(() => ({events: [claimEvent(`t${round}`, 's'), claimEvent(`u${round}`, 's')], result: 1}));
    });
  }
});
afterAll(() => rmSync(template, {recursive: true}));
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-salvage-'));
  stateFolder = join(root, 'kernel');
  cpSync(template, root, {recursive: true});
});
afterEach(() => rmSync(root, {recursive: true}));

async function withState<T>(at: string, work: (state: SignedState) => Promise<T>): Promise<T> {
  const processes = createProcessRegistry();
  const state = await openSignedState({
    stateFolder: join(at, 'kernel'),
    keyFolder: join(at, 'keys'),
    processes,
    durability: 'process',
    rotateBytes: 500,
  });
  try {
    return await work(state);
  } finally {
    await state.close();
  }
}

async function salvage(beforeStep?: () => void): Promise<readonly Salvage[]> {
  return await salvageState({stateFolder, processes: createProcessRegistry(), order, ...(beforeStep && {beforeStep})});
}

const segment = (log: LogName, at: number): string => {
  const {folder} = logFilesOf(stateFolder, log);
  return join(folder, readdirSync(folder).toSorted().at(at) ?? '');
};

function changeByte(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

const damages: Readonly<Record<string, (path: string) => void>> = {
  'a changed byte in the middle': (path) => changeByte(path, statSync(path).size >> 1),
  'a changed `prev`': (path) => changeByte(path, 30),
  zeros: (path) => writeFileSync(path, Buffer.alloc(statSync(path).size)),
  'a cut segment': (path) => truncateSync(path, statSync(path).size - 40),
  'an empty segment': (path) => truncateSync(path, 0),
  'a missing segment': (path) => rmSync(path),
  'another format': (path) => writeFileSync(path, '{"version":9,"lines":[]}\n'),
  'lines without an end': (path) => writeFileSync(path, 'x'.repeat(3_000)),
};

/** Every file of the state by its hash. */
function contents(folder = stateFolder): ReadonlyMap<string, string> {
  const files = readdirSync(folder, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile());
  return new Map(
    files.map(({parentPath, name}) => [sha256Hex(readFileSync(join(parentPath, name))), join(parentPath, name)]),
  );
}

/** The lines of both logs, and the checkpoints: each of them must be somewhere. */
function evidenceOf(folder: string): readonly string[] {
  const logs: readonly LogName[] = ['events', 'traces'];
  return logs.flatMap((log) => {
    const {folder: lines, tree} = logFilesOf(folder, log);
    const notes = readdirSync(tree).filter((name) => name.endsWith('.note'));
    return [
      ...readdirSync(lines).map((name) => readFileSync(join(lines, name), 'latin1')),
      ...notes.map((name) => readFileSync(join(tree, name), 'latin1')),
    ];
  });
}

function expectNothingLost(before: readonly string[]): void {
  const now = [...contents().values()].map((path) => readFileSync(path, 'latin1'));
  for (const text of before) expect(now.some((each) => each.includes(text))).toBe(true);
}

async function expectRefused(): Promise<void> {
  await expect(withState(root, () => Promise.resolve())).rejects.toSatisfy(isKernelError);
}

async function expectContinues(log: LogName, kept: number): Promise<void> {
  await withState(root, async ({evidence, events}) => {
    await evidence.append([startedRecord('later'), finishedRecord('later')], {fsync: true});
    expect((await events.read({})).at(-1)).toMatchObject({
      type: 'evidence_salvaged',
      log,
      kept_lines: kept,
      reason: order.reason,
      ...(log === 'events' && {sessions: expect.any(Array)}),
    });
  });
  const report = await verifyEvidence(stateFolder, {keyFolder: join(root, 'keys')});
  expect(report).toMatchObject({
    status: 'truncated',
    findings: [expect.stringContaining('were salvaged at 2026-11-26')],
  });
}

describe.each(['events', 'traces'] as const)('a log of %s with', (log) => {
  test.each(Object.entries(damages))('%s opens again, and nothing is destroyed', async (_, damage) => {
    damage(segment(log, 1));
    const before = evidenceOf(stateFolder);
    // Damage to old records does not keep the log from opening.
    if (log === 'events') await expectRefused();
    expect(evidenceOf(stateFolder)).toEqual(before);
    expect(await damageOf(stateFolder)).toMatchObject([{log}]);
    const [salvaged, ...others] = await salvage();
    expect(others).toEqual([]);
    const {position, known_lines: known, files} = salvaged?.manifest ?? {};
    expect(known).toBe(log === 'traces' ? 12 : 6);
    for (const {path, sha256} of files ?? []) {
      const aside = join(stateFolder, 'salvaged', salvaged?.id ?? '', 'files', path);
      expect(sha256Hex(readFileSync(aside))).toBe(sha256);
    }
    expectNothingLost(before);
    expect(await salvage()).toEqual([]);
    await expectContinues(log, position?.seq ?? -1);
  });

  test('a missing end that was signed opens again', async () => {
    rmSync(segment(log, -1));
    await expectRefused();
    const [salvaged] = await salvage();
    await expectContinues(log, salvaged?.manifest.position.seq ?? -1);
  });

  test('a torn end that was signed keeps its bytes, and opens again', async () => {
    const path = segment(log, -1);
    truncateSync(path, statSync(path).size - 10);
    const before = evidenceOf(stateFolder);
    await expectRefused();
    expect(evidenceOf(stateFolder)).toEqual(before);
    await salvage();
    expectNothingLost(before);
  });

  test('a last line that was changed and still is a line is damaged, and a damaged checkpoint before it is not', async () => {
    const {tree} = logFilesOf(stateFolder, log);
    const note = join(
      tree,
      readdirSync(tree)
        .filter((name) => name.endsWith('.note'))
        .toSorted()
        .at(-2) ?? '',
    );
    changeByte(note, readFileSync(note, 'utf8').split('\n').slice(0, 2).join('\n').length + 4);
    expect(await damageOf(stateFolder)).toEqual([]);
    rmSync(stateFolder, {recursive: true});
    cpSync(join(template, 'kernel'), stateFolder, {recursive: true});
    const path = segment(log, -1);
    const text = readFileSync(path, 'utf8');
    const at = text.lastIndexOf('"timestamp":"') + '"timestamp":"'.length + 3;
    changeByte(path, at);
    const before = evidenceOf(stateFolder);
    const [salvaged] = await salvage();
    expect(salvaged?.manifest).toMatchObject({log, position: {seq: (salvaged?.manifest.known_lines ?? 0) - 1}});
    expectNothingLost(before);
    await expectContinues(log, salvaged?.manifest.position.seq ?? -1);
  });

  test('damage in its first line continues from the beginning', async () => {
    writeFileSync(segment(log, 0), 'damaged\n');
    const [salvaged] = await salvage();
    expect(salvaged?.manifest.position.seq).toBe(0);
    await expectContinues(log, 0);
  });
});

test('the spec of a task whose creation was lost is put aside, so that its id can be used again', async () => {
  const processes = createProcessRegistry();
  const create = async (taskId: string): Promise<void> => {
    await withState(root, async ({events, tasks}) => {
      const created = await tasks.create({
        id: taskId,
        lane_id: 'core',
        title: taskId,
        scopes: [],
      } as unknown as TaskSpec);
      const spec_hash = created === 'exists' ? '' : created.spec_hash;
      const fact = {
        timestamp: order.at,
        actor: 'ann',
        type: 'task_created' as const,
        task_id: taskId,
        lane_id: 'core',
        spec_hash,
      };
      await events.transact(() => ({events: [fact], result: 1}));
    });
  };
  await create('kept');
  await create('lost');
  truncateSync(segment('events', -1), statSync(segment('events', -1)).size - 10);
  await salvageState({stateFolder, processes, order});
  expect(readdirSync(join(stateFolder, 'tasks'))).toEqual(['kept.yaml']);
  expect([...contents().values()].filter((path) => path.endsWith('lost.yaml'))).toHaveLength(1);
});

test('both logs are salvaged at once, the events first', async () => {
  damages['zeros']?.(segment('events', 1));
  damages['zeros']?.(segment('traces', 1));
  expect((await salvage()).map(({manifest}) => manifest.log)).toEqual(['events', 'traces']);
  await withState(root, async ({events}) => {
    expect((await events.read({})).map(({type}) => type)).toEqual(
      expect.arrayContaining(['evidence_salvaged', 'evidence_salvaged']),
    );
  });
});

describe('a state that opens', () => {
  test('has nothing to salvage, and stays as it is', async () => {
    const before = contents();
    expect(await salvage()).toEqual([]);
    expect([...contents().keys()].toSorted()).toEqual([...before.keys()].toSorted());
  });

  test('because a copy was restored after a crash is not cut', async () => {
    damages['zeros']?.(segment('traces', 1));
    await expect(salvage(crashAt(2))).rejects.toThrow('killed');
    rmSync(stateFolder.concat('/evidence'), {recursive: true});
    rmSync(stateFolder.concat('/events'), {recursive: true});
    cpSync(join(template, 'kernel', 'evidence'), join(stateFolder, 'evidence'), {recursive: true});
    cpSync(join(template, 'kernel', 'events'), join(stateFolder, 'events'), {recursive: true});
    expect(await salvage()).toEqual([]);
    expect((await verifyEvidence(stateFolder, {keyFolder: join(root, 'keys')})).status).toBe('verified');
  });
});

/** Ends the salvage as SIGKILL does: nothing after the step happens, and nothing is cleaned up but the lock. */
function crashAt(step: number): () => void {
  let left = step;
  return () => {
    left -= 1;
    if (left < 0) throw new Error('killed');
  };
}

describe.each(['events', 'traces'] as const)('a crash during the salvage of %s', (log) => {
  test('at any step leaves a state that a second run completes', async () => {
    for (let step = 0; ; step += 1) {
      rmSync(stateFolder, {recursive: true});
      cpSync(join(template, 'kernel'), stateFolder, {recursive: true});
      damages['a changed byte in the middle']?.(segment(log, 1));
      const before = evidenceOf(stateFolder);
      const ended = await salvage(crashAt(step)).then(
        () => true,
        () => false,
      );
      expectNothingLost(before);
      await salvage();
      expectNothingLost(before);
      const report = await verifyEvidence(stateFolder, {keyFolder: join(root, 'keys')});
      expect(report.findings.filter((text) => text.includes('were salvaged'))).toHaveLength(1);
      await withState(root, () => Promise.resolve());
      if (!ended) continue;
      expect(step).toBeGreaterThanOrEqual(3);
      break;
    }
  });
});
