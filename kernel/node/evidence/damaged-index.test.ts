// Everything in `index/` is disposable: for any change of its bytes, the answers are those of the log.
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {finishedRecord, progressRecord, startedRecord} from '../conformance/example-records.ts';
import {openSignedState, type SignedState} from '../state/signed-state.fixture.ts';

let root: string;
let files: readonly string[];
let expected: unknown;

const kernel = (name: string): string => join(root, name, 'kernel');

function open(name: string): Promise<SignedState> {
  return openSignedState({
    stateFolder: kernel(name),
    keyFolder: join(root, 'keys'),
    processes: createProcessRegistry(),
    checkpointEvery: 50,
    indexBlockRecords: 32,
  });
}

async function answers({evidence, signed}: SignedState): Promise<unknown> {
  const {status, findings} = await signed.verify();
  return {
    all: await evidence.read({limit: 1_000}),
    denied: await evidence.read({result: 'denied', task_id: 't1'}),
    open: await evidence.openCalls(),
    some: await Promise.all(['r3', 'r40', 'none'].map((id) => evidence.receipt(id))),
    status,
    findings,
    proof: (await signed.prove('r7'))?.records,
  };
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-damaged-'));
  const state = await open('whole');
  for (let call = 0; call < 80; call += 1) {
    await state.evidence.append([startedRecord(`r${call}`, {task_id: `t${call % 3}`})], {fsync: false});
    if (call % 9 === 0) await state.evidence.append([progressRecord(`r${call}`, 1, 'x')], {fsync: false});
    const result = call % 2 === 0 ? 'denied' : 'success';
    if (call % 3 === 0) await state.evidence.append([finishedRecord(`r${call}`, {result})], {fsync: false});
  }
  await answers(state);
  await state.close();
  const again = await open('whole');
  expected = await answers(again);
  await again.close();
  const all = readdirSync(join(kernel('whole'), 'index'), {recursive: true, encoding: 'utf8'});
  const blocks = all.filter((name) => name.endsWith('.calls')).toSorted((a, b) => a.localeCompare(b));
  // What has only one file is damaged as often as what has many.
  files = [...blocks, ...blocks.map(() => 'traces-frontier.json')];
});
afterAll(() => rmSync(root, {recursive: true}));

test('with bits flipped, bytes cut or files missing, the index is rebuilt and answers as before', async () => {
  expect(files.length).toBeGreaterThan(3);
  const location = fc.noBias(fc.integer({min: 0, max: 9_999}));
  const damage = fc.record({
    file: fc.nat(),
    kind: fc.constantFrom('flip', 'flip', 'flip', 'cut', 'gone'),
    location,
    bit: fc.nat(7),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(damage, {minLength: 1, maxLength: 4}), async (damages) => {
      rmSync(join(root, 'damaged'), {recursive: true, force: true});
      cpSync(join(root, 'whole'), join(root, 'damaged'), {recursive: true, verbatimSymlinks: true});
      for (const {file, kind, location: at, bit} of damages) {
        const path = join(kernel('damaged'), 'index', files[file % files.length] ?? '');
        if (kind === 'gone') {
          rmSync(path, {force: true});
          continue;
        }
        const bytes = readOrEmpty(path);
        const position = Math.floor((at / 10_000) * bytes.length);
        bytes[position] = (bytes[position] ?? 0) ^ (1 << bit);
        writeFileSync(path, kind === 'cut' ? bytes.subarray(0, position) : bytes);
      }
      const state = await open('damaged');
      try {
        expect(await answers(state)).toEqual(expected);
      } finally {
        await state.close();
      }
    }),
    {numRuns: Number(process.env['LUMENFLOW_PROPERTY_RUNS'] ?? 40)},
  );
});

/** One that is gone already. */
function readOrEmpty(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
