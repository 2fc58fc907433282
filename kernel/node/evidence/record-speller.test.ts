import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {NewEvidenceRecord} from '@lumenflow/kernel';
import {finishRecord, startRecord} from '../state/example-records.fixture.ts';
import {recordBody} from './record-body.ts';
import {RecordSpeller} from './record-speller.ts';

const hash = 'cd'.repeat(32);
const decision = {decision: 'allow', layer: 'workspace', rule_id: 'workspace.default'};
const scopes = {read: ['**'], write: [], network: {posture: 'off', allowlist_entries: []}};
const enforcement = {backend: 'pool', tier: 'none'};

/** A few values of each field, so that records of a run are alike now and then; with those that make a record special. */
const start = fc.record(
  {
    receipt_id: fc.constantFrom('rcp-1', 'rcp-2', 'r"3', 'ü'),
    timestamp: fc.constantFrom('2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.679Z'),
    run_id: fc.constantFrom('run-1', 'run-2'),
    task_id: fc.constantFrom('task-1', 'ta"sk'),
    tool_name: fc.constantFrom('files:read', 'files:write'),
    policy_decisions: fc.constantFrom([], [decision], [decision, decision], [{...decision}]),
    input_hash: fc.constantFrom(hash, 'ab'.repeat(32)),
    input_ref: fc.constantFrom('pack-1:2:3', 'an"other'),
    lane_id: fc.constantFrom('core', 'docs'),
    scope_enforced: fc.constantFrom(scopes, {...scopes, write: ['a/**']}),
    execution_metadata: fc.constantFrom({model: 'one'}, {input_hash: hash}),
    durable: fc.constant(true),
  },
  {requiredKeys: ['receipt_id', 'timestamp', 'run_id', 'task_id', 'tool_name', 'policy_decisions']},
);
const finish = fc.record(
  {
    receipt_id: fc.constantFrom('rcp-1', 'rcp-2'),
    result: fc.constantFrom('success', 'failure'),
    duration_ms: fc.oneof(fc.double({min: 0, max: 1e300, noNaN: true}), fc.constantFrom(-0, 1e21, 5e-7)),
    error_message: fc.constantFrom('no\n', 'never'),
    output_hash: fc.constant(hash),
    output_ref: fc.constantFrom('pack-1:2:3', 'pack-1:9:3'),
    enforcement: fc.constantFrom(enforcement, {...enforcement}, {...enforcement, degraded: ['network']}),
    artifacts_written: fc.constantFrom(['a'], ['a', 'b'], []),
  },
  {requiredKeys: ['receipt_id', 'result', 'duration_ms']},
);
const anyRecord: fc.Arbitrary<NewEvidenceRecord> = fc.oneof(
  start.map(({receipt_id, ...extra}) => startRecord(receipt_id, extra)),
  finish.map(({receipt_id, ...extra}) => finishRecord(receipt_id, extra)),
);

test('whatever it spelt before, a record gets the text that it has alone', () => {
  fc.assert(
    fc.property(fc.array(anyRecord, {minLength: 2, maxLength: 30}), (records) => {
      const speller = new RecordSpeller();
      for (const record of records) expect(speller.spell(record)).toBe(recordBody(record));
    }),
  );
});

test.each<[string, NewEvidenceRecord, NewEvidenceRecord]>([
  ['a field that no schema knows', startRecord('r1'), startRecord('r2', {extra: 1})],
  [
    'an undefined field in the place of another',
    startRecord('r1', {lane_id: 'core'}),
    startRecord('r2', {lane: undefined}),
  ],
  [
    'a hash that is none',
    startRecord('r1', {input_hash: hash, input_ref: 'p'}),
    startRecord('r2', {input_hash: 'p', input_ref: 'p'}),
  ],
  ['a duration that is none', finishRecord('r1'), finishRecord('r2', {duration_ms: Number.NaN})],
  ['a negative duration', finishRecord('r1'), finishRecord('r2', {duration_ms: -1})],
  ['a result that is none', finishRecord('r1'), finishRecord('r2', {result: 'well'})],
])('%s is as wrong after a record that was right', (_, right, wrong) => {
  const speller = new RecordSpeller();
  speller.spell(right);
  const refused = catchError(() => recordBody(wrong));
  expect(catchError(() => speller.spell(wrong))).toEqual(refused);
});

function catchError(spell: () => string): unknown {
  try {
    return spell();
  } catch (error) {
    return error;
  }
}
