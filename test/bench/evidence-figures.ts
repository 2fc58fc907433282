// How fast a stranger verifies a log: chain, schema, blobs, tree and signatures, against hashing its lines alone.
import type {NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import {
  createProcessRegistry,
  openFileState,
  openSigningKeys,
  openWorkspaceLog,
  verifyEvidence,
} from '@lumenflow/kernel/node';
import {createHash} from 'node:crypto';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {compare} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';

export async function* evidenceFigures(effort: Effort): AsyncGenerator<Figure> {
  const root = mkdtempSync(join(tmpdir(), 'lumenflow-bench-'));
  const [stateFolder, keyFolder] = [join(root, 'kernel'), join(root, 'keys')];
  try {
    const records = await recordCalls({stateFolder, keyFolder, calls: operations(effort, 25_000)});
    const perSecond = async (work: () => Promise<number> | number): Promise<readonly number[]> => {
      const started = performance.now();
      const done = await work();
      if (done !== records) throw new Error(`${done} of ${records} records were seen`);
      return [(records * 1_000) / (performance.now() - started)];
    };
    yield await compare({
      id: 'evidence.verified',
      title: `records verified, log of ${records}`,
      unit: 'per_second',
      runs: Math.ceil(effort.runs / 2),
      sample: () =>
        perSecond(async () => {
          const report = await verifyEvidence(stateFolder, {keyFolder});
          if (report.status !== 'verified') throw new Error(JSON.stringify(report));
          return report.records;
        }),
      baseline: {
        title: 'lines read and hashed',
        sample: () => perSecond(() => hashLines(join(stateFolder, 'evidence', 'traces'))),
      },
    });
  } finally {
    rmSync(root, {recursive: true});
  }
}

function hashLines(folder: string): number {
  let lines = 0;
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      createHash('sha256').update(bytes.subarray(start, end)).digest();
      start = end + 1;
      lines += 1;
    }
  }
  return lines;
}

interface Recording {
  readonly stateFolder: string;
  readonly keyFolder: string;
  readonly calls: number;
}

/** Gives the number of records: two for each call, as the pipeline writes them. */
async function recordCalls({stateFolder, keyFolder, calls}: Recording): Promise<number> {
  const state = await openFileState({stateFolder, processes: createProcessRegistry(), durability: 'process'});
  const signed = await openWorkspaceLog(state, {keys: await openSigningKeys({keyFolder})});
  const {evidence, contents} = state;
  const record = async (call: number): Promise<void> => {
    const [input, output] = await Promise.all(
      ['in', 'out'].map((side) => contents.put(JSON.stringify({path: `${side}/${call}`}))),
    );
    if (input === undefined || output === undefined) throw new Error('a blob was not kept');
    const {started, finished} = recordsOf(call, {input, output});
    await evidence.append([started], {fsync: false});
    await evidence.append([finished], {fsync: false});
  };
  for (let call = 0; call < calls; call += 100) {
    await Promise.all(Array.from({length: Math.min(100, calls - call)}, (_, index) => record(call + index)));
  }
  await signed.close();
  await state.close();
  return calls * 2;
}

interface Blob {
  readonly hash: string;
  readonly ref: string;
}

function recordsOf(
  call: number,
  {input, output}: {readonly input: Blob; readonly output: Blob},
): {readonly started: NewEvidenceRecord; readonly finished: NewEvidenceRecord} {
  const receipt_id = `rcp-${call}`;
  const timestamp = '2026-01-02T03:04:05.678Z';
  return {
    started: {
      type: 'tool_call_started',
      timestamp,
      receipt_id,
      process_id: 'bench.0.0.0.1',
      run_id: 'run-1',
      task_id: 'task-1',
      session_id: 'session-1',
      lane_id: 'core',
      tool_name: 'noop:read',
      pack_id: 'noop',
      pack_version: '0.1.0',
      pack_integrity: `sha256:${'1'.repeat(64)}`,
      execution_mode: 'pool',
      scope_enforced: {read: ['**'], write: [], network: {posture: 'off', allowlist_entries: []}},
      input_hash: input.hash,
      input_ref: input.ref,
      spec_hash: 'ab'.repeat(32),
      policy_decisions: [{decision: 'allow', layer: 'workspace', rule_id: 'default'}],
    },
    finished: {
      type: 'tool_call_finished',
      timestamp,
      receipt_id,
      result: 'success',
      duration_ms: 0.25,
      output_hash: output.hash,
      output_ref: output.ref,
    },
  };
}
