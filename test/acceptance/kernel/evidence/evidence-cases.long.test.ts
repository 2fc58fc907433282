// The cases that break evidence, each by its name, on real files and through the public API. Acknowledged records remain,
// damage is reported, and nothing is invented.
import type {ExecutionContext, KernelRuntime} from '@lumenflow/kernel';
import {verifyEvidence} from '@lumenflow/kernel/node';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {stateFolders} from '../../../crash/crash-workspace.ts';
import {openCrashRuntime} from '../../../crash/open-crash-runtime.ts';
import {contextOf, createStage, unwrap} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

let folder: string;
let root: string;
let opened: KernelRuntime[];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-cases-')));
  root = join(folder, 'workspace');
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((runtime) => runtime.close()));
  rmSync(folder, {recursive: true});
});

async function open(at = root): Promise<KernelRuntime> {
  const runtime = await openCrashRuntime({root: at, effect: () => undefined});
  opened.push(runtime);
  return runtime;
}

async function startTask(runtime: KernelRuntime, id = 'task-1'): Promise<ExecutionContext> {
  unwrap(await runtime.createTask({id, lane_id: 'core'}));
  return contextOf(id, unwrap(await runtime.claimTask({task_id: id, by: 'agent', session_id: `of-${id}`})));
}

/** Gives the receipts. */
async function callTimes(runtime: KernelRuntime, context: ExecutionContext, times: number): Promise<readonly string[]> {
  const all: string[] = [];
  for (let call = 0; call < times; call += 1) {
    const {success, metadata} = await runtime.executeTool('effects:read', {call}, context);
    expect(success).toBe(true);
    all.push(metadata?.receipt_id ?? '');
  }
  return all;
}

const traces = (at = root): string => join(stateFolders(at).stateFolder, 'evidence', 'traces');
const segments = (at = root): readonly string[] =>
  readdirSync(traces(at))
    .toSorted((a, b) => a.localeCompare(b))
    .map((name) => join(traces(at), name));
const resultsOf = async (runtime: KernelRuntime, ids: readonly string[]): Promise<readonly unknown[]> =>
  await Promise.all(ids.map(async (id) => (await runtime.evidence.receipt(id))?.finished?.result));

/** Twelve places between two. */
function thirteenths(from: number, to: number): readonly number[] {
  return Array.from({length: 12}, (_, part) => from + Math.round(((part + 1) * (to - from)) / 13));
}

describe('odd-payloads', () => {
  const texts = ['status: ok: 1', '0x10', '# comment', '', '\0', '\u2028 €😀', '__proto__', ' 1e400 '];
  let deep: unknown = 'bottom';
  for (let level = 0; level < 500; level += 1) deep = {deep};

  test.each([
    ['texts that look like something else', {texts}],
    ['a negative zero', {zero: -0}],
    ['500 levels', deep],
    ['50 MB', {text: 'x'.repeat(50 * 1024 * 1024)}],
    ['a key called __proto__', JSON.parse('{"__proto__":{"a":1}}')],
  ])('%s: stored as they are', async (_, input) => {
    const runtime = await open();
    const {success, metadata} = await runtime.executeTool('effects:read', input, await startTask(runtime));
    expect(success).toBe(true);
    const receipt = await runtime.evidence.receipt(metadata?.receipt_id ?? '');
    const kept = (await runtime.evidence.readBlob(receipt?.started.input_ref ?? '')) ?? '';
    // Compared as texts, because a difference of 50 MB is not readable.
    expect(JSON.stringify(JSON.parse(kept)) === JSON.stringify(input)).toBe(true);
  });

  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const unreadable = {
    get a(): never {
      throw new Error('not for you');
    },
  };
  test.each([
    ['an undefined field', {a: undefined}],
    ['not a number', {a: Number.NaN}],
    ['a bigint', {a: 1n}],
    ['a cycle', cycle],
    ['a lone surrogate', {a: '\ud800'}],
    ['a date', {a: new Date(0)}],
    ['a getter that throws', unreadable],
  ])('%s: refused, and the refusal is recorded', async (_, input) => {
    const runtime = await open();
    const output = await runtime.executeTool('effects:read', input, await startTask(runtime));
    expect(output).toMatchObject({success: false, error: {code: 'INVALID_INPUT'}});
    expect(await resultsOf(runtime, [output.metadata?.receipt_id ?? ''])).toEqual(['invalid']);
  });
});

describe('torn-tail', () => {
  test('cut the last record at every byte: all earlier records remain', async () => {
    const runtime = await open();
    const ids = await callTimes(runtime, await startTask(runtime), 3);
    // As a crash leaves it, with nothing signed; only that the process of the copy lives, which this test is.
    const crashed = join(folder, 'crashed');
    cpSync(root, crashed, {recursive: true, verbatimSymlinks: true});
    rmSync(join(stateFolders(crashed).stateFolder, 'lock'), {recursive: true});
    const path = segments(crashed).at(-1) ?? '';
    const whole = readFileSync(path);
    const last = whole.lastIndexOf('\n', whole.length - 2) + 1;
    // Each byte is tried where the log itself is tested.
    for (const size of new Set([last, last + 1, whole.length - 1, ...thirteenths(last, whole.length)])) {
      writeFileSync(path, whole.subarray(0, size));
      const copy = join(folder, `cut-${size}`);
      cpSync(crashed, copy, {recursive: true, verbatimSymlinks: true});
      const next = await open(copy);
      expect(await resultsOf(next, ids), `cut at ${size} of ${whole.length}`).toEqual([
        'success',
        'success',
        undefined,
      ]);
      await next.close();
      const report = await verifyEvidence(stateFolders(copy).stateFolder, {keyFolder: stateFolders(copy).keyFolder});
      // The next start signs what the crash left.
      expect(report).toMatchObject({status: 'verified', records: 5});
      rmSync(copy, {recursive: true});
    }
  });

  test('missing segment: in the middle it is always reported, at the end once it was signed', async () => {
    const runtime = await open();
    await callTimes(runtime, await startTask(runtime), 150);
    await runtime.close();
    expect(segments().length).toBeGreaterThan(3);
    for (const index of [0, 1, -1]) {
      const copy = join(folder, 'copy');
      rmSync(copy, {recursive: true, force: true});
      cpSync(root, copy, {recursive: true, verbatimSymlinks: true});
      rmSync(segments(copy).at(index) ?? '');
      const {stateFolder, keyFolder} = stateFolders(copy);
      expect(await verifyEvidence(stateFolder, {keyFolder}), `segment ${index}`).toMatchObject({status: 'truncated'});
      rmSync(join(stateFolder, 'index'), {recursive: true});
      const readAll = async (): Promise<void> => {
        const reader = await openCrashRuntime({root: copy});
        try {
          await reader.evidence.readTraces({});
        } finally {
          await reader.close();
        }
      };
      await expect(readAll(), `segment ${index}`).rejects.toMatchObject({code: 'LOG_CORRUPT'});
    }
  });

  test('zero-length files: a new segment, the index, a checkpoint’s tile; contents are missed, not made up', async () => {
    const runtime = await open();
    const ids = await callTimes(runtime, await startTask(runtime), 5);
    await runtime.close();
    const {stateFolder, keyFolder} = stateFolders(root);
    writeFileSync(join(traces(), `${String(11).padStart(16, '0')}.jsonl`), '');
    for (const name of readdirSync(join(stateFolder, 'index'), {recursive: true, encoding: 'utf8'})) {
      if (name.endsWith('.json')) truncateSync(join(stateFolder, 'index', name), 0);
    }
    const next = await open();
    expect(await resultsOf(next, ids)).toEqual(ids.map(() => 'success'));
    await callTimes(next, await startTask(next, 'task-2'), 2);
    await next.close();
    expect(await verifyEvidence(stateFolder, {keyFolder})).toMatchObject({status: 'verified', records: 14});
    for (const name of readdirSync(join(stateFolder, 'evidence', 'inputs'))) {
      truncateSync(join(stateFolder, 'evidence', 'inputs', name), 0);
    }
    expect(await verifyEvidence(stateFolder, {keyFolder})).toMatchObject({status: 'blob_missing', lost: 0});
    const last = await open();
    const receipt = await last.evidence.receipt(ids[0] ?? '');
    expect(await last.evidence.readBlob(receipt?.started.input_ref ?? '')).toBeUndefined();
    expect(await callTimes(last, await startTask(last, 'task-3'), 1)).toHaveLength(1);
  });

  test.each(['dead.1.1.1.1', 'no kernel names itself so'])(
    'stale lock of a dead pid: `%s` holds nobody up',
    async (owner) => {
      const runtime = await open();
      await runtime.close();
      const lock = join(stateFolders(root).stateFolder, 'lock');
      const generations = readdirSync(lock).map((name) => Number(name.split('.')[1]));
      symlinkSync(owner, join(lock, `lock.${Math.max(0, ...generations) + 1}`));
      const next = await open();
      expect(await callTimes(next, await startTask(next), 1)).toHaveLength(1);
    },
  );
});

test('512 concurrent callers: each call is recorded once, each answer is its own', async () => {
  const runtime = await open();
  const context = await startTask(runtime);
  const outputs = await Promise.all(
    Array.from({length: 512}, (_, call) =>
      runtime.executeTool(call % 2 === 0 ? 'effects:read' : 'effects:write', {call}, context),
    ),
  );
  expect(outputs.map(({data}) => data)).toEqual(Array.from({length: 512}, (_, call) => ({call})));
  expect(new Set(outputs.map(({metadata}) => metadata?.receipt_id)).size).toBe(512);
  const {receipts} = await runtime.evidence.readTraces({limit: 1_000, result: 'success'});
  expect(receipts).toHaveLength(512);
  expect(await runtime.evidence.verify()).toMatchObject({records: 1_024});
});

test('a reader during rotation finds all that was acknowledged, in one order', async () => {
  const [writer, reader] = [await open(), await open()];
  const context = await startTask(writer);
  let done = 0;
  const writing = (async () => {
    for (; done < 300; done += 1) await callTimes(writer, context, 1);
  })();
  let looks = 0;
  for (let before = 0; before < 300; looks += 1) {
    before = done;
    const {receipts} = await reader.evidence.readTraces({limit: 1_000});
    const seqs = receipts.map(({started}) => started.seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => b - a));
    expect(receipts.filter(({finished}) => finished?.result === 'success').length).toBeGreaterThanOrEqual(before);
  }
  await writing;
  expect(looks).toBeGreaterThan(5);
  expect(segments().length).toBeGreaterThan(5);
});

test.each(stateKinds)(
  'clock jumps, $name: order and results follow the log, whatever the timestamps are',
  async (kind) => {
    const stage = createStage(kind);
    const runtime = await stage.open({
      scripts: {
        'files:read'({input}) {
          stage.clock.move((input as {jump: number}).jump);
          return {output: {success: true}};
        },
      },
    });
    const context = await runtime.startTask();
    const day = 24 * 60 * 60 * 1_000;
    const ids: string[] = [];
    for (const jump of [0, -day, 3 * day, -day, 0, 1]) {
      const {success, metadata} = await runtime.executeTool('files:read', {jump}, context);
      expect(success).toBe(true);
      ids.unshift(metadata?.receipt_id ?? '');
    }
    const {receipts} = await runtime.evidence.readTraces({});
    expect(receipts.map(({receipt_id}) => receipt_id)).toEqual(ids);
    expect(receipts.every(({finished}) => finished?.result === 'success')).toBe(true);
    await stage.close();
  },
);
