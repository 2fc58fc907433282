import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {ending, kill, startFixture, type FixtureProcess} from '../lock/start-fixture.fixture.ts';
import {openSignedState, type SignedState} from './signed-state.fixture.ts';

let root: string;
let children: FixtureProcess[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-crash-'));
  children = [];
});
afterEach(async () => {
  await Promise.all(children.map(kill));
  rmSync(root, {recursive: true});
});

interface Writer {
  readonly process: FixtureProcess;
  /** Receipts that were acknowledged. */
  readonly done: string[];
}

function startWriter(prefix: string, calls: number): Writer {
  const url = new URL('record-calls.fixture.ts', import.meta.url);
  const child = startFixture(url, join(root, 'kernel'), join(root, 'keys'), prefix, String(calls));
  children.push(child);
  const done: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => done.push(...chunk.toString().split('\n').filter(Boolean)));
  return {process: child, done};
}

function open(onWarning: (message: string) => void = () => undefined): Promise<SignedState> {
  const folders = {stateFolder: join(root, 'kernel'), keyFolder: join(root, 'keys')};
  return openSignedState({...folders, processes: createProcessRegistry(), onWarning});
}

async function check(done: readonly string[]): Promise<void> {
  const state = await open();
  try {
    for (const id of done) expect((await state.evidence.receipt(id))?.finished, id).toMatchObject({result: 'success'});
    const claimed = new Set((await state.events.read({})).map((event) => ('task_id' in event ? event.task_id : '')));
    for (const id of done) if (id.endsWith('0')) expect(claimed).toContain(id);
    await state.signed.checkpoint();
    const report = await state.signed.verify();
    expect(report.findings).toEqual([]);
    expect(report.status).toBe('verified');
    expect(report.records).toBeGreaterThanOrEqual(done.length * 2);
  } finally {
    await state.close();
  }
}

test('processes that write at once share one log', async () => {
  const writers = [startWriter('a', 150), startWriter('b', 150), startWriter('c', 150)];
  expect(await Promise.all(writers.map((writer) => ending(writer.process)))).toEqual([0, 0, 0]);
  const done = writers.flatMap((writer) => writer.done);
  expect(done).toHaveLength(450);
  await check(done);
});

test('records that a killed process acknowledged remain, and the others continue', async () => {
  const survivor = startWriter('survivor', 400);
  const killed: string[] = [];
  for (let round = 1; round <= 4; round += 1) {
    const victim = startWriter(`victim${round}`, 100_000);
    // Killed somewhere in the middle of its work, at another place each time.
    await expect.poll(() => victim.done.length, {interval: 1, timeout: 60_000}).toBeGreaterThan(round * 17);
    await kill(victim.process);
    killed.push(...victim.done);
  }
  expect(await ending(survivor.process)).toBe(0);
  expect(survivor.done).toHaveLength(400);
  await check([...killed, ...survivor.done]);
  const state = await open();
  const processes = createProcessRegistry();
  for (const call of await state.evidence.openCalls()) {
    expect(call.receipt_id).toMatch(/^victim/u);
    expect(processes.isAlive(call.started.process_id)).toBe(false);
  }
  await state.close();
});
