import {
  array,
  assert,
  constant,
  constantFrom,
  double,
  oneof,
  property,
  record as recordOf,
  type Arbitrary,
} from 'fast-check';
import {expect, test} from 'vitest';
import type {NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {recordBody} from './record-body.ts';
import {RecordEncoder} from './record-encoder.ts';

/** A record with fields that its type or its schema may forbid. */
const withFields = (record: NewEvidenceRecord, fields: object): NewEvidenceRecord => ({...record, ...fields});

const hash = 'cd'.repeat(32);
const decision = {decision: 'allow', layer: 'workspace', rule_id: 'workspace.default'};
const scopes = {read: ['**'], write: [], network: {posture: 'off', allowlist_entries: []}};
const enforcement = {backend: 'pool', tier: 'none'};

/** A few values of each field, so that records of a run are alike now and then; with those that make a record special. */
const start = recordOf(
  {
    receipt_id: constantFrom('rcp-1', 'rcp-2', 'r"3', 'ü'),
    timestamp: constantFrom('2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.679Z'),
    run_id: constantFrom('run-1', 'run-2'),
    task_id: constantFrom('task-1', 'ta"sk'),
    tool_name: constantFrom('files:read', 'files:write'),
    policy_decisions: constantFrom([], [decision], [decision, decision], [{...decision}]),
    input_hash: constantFrom(hash, 'ab'.repeat(32)),
    input_ref: constantFrom('pack-1:2:3', 'an"other'),
    lane_id: constantFrom('core', 'docs'),
    scope_enforced: constantFrom(scopes, {...scopes, write: ['a/**']}),
    execution_metadata: constantFrom({model: 'one'}, {input_hash: hash}),
    durable: constant(true),
  },
  {requiredKeys: ['receipt_id', 'timestamp', 'run_id', 'task_id', 'tool_name', 'policy_decisions']},
);
const finish = recordOf(
  {
    receipt_id: constantFrom('rcp-1', 'rcp-2'),
    result: constantFrom('success', 'failure'),
    duration_ms: oneof(double({min: 0, max: 1e300, noNaN: true}), constantFrom(-0, 1e21, 5e-7)),
    error_message: constantFrom('no\n', 'never'),
    output_hash: constant(hash),
    output_ref: constantFrom('pack-1:2:3', 'pack-1:9:3'),
    enforcement: constantFrom(enforcement, {...enforcement}, {...enforcement, degraded: ['network']}),
    artifacts_written: constantFrom(['a'], ['a', 'b'], []),
  },
  {requiredKeys: ['receipt_id', 'result', 'duration_ms']},
);
const anyRecord: Arbitrary<NewEvidenceRecord> = oneof(
  start.map(({receipt_id, ...extra}) => withFields(startedRecord(receipt_id), extra)),
  finish.map(({receipt_id, ...extra}) => withFields(finishedRecord(receipt_id), extra)),
);

test('after any other records, a record gets the same text as alone', () => {
  assert(
    property(array(anyRecord, {minLength: 2, maxLength: 30}), (records) => {
      const encoder = new RecordEncoder();
      for (const record of records) expect(encoder.encode(record)).toBe(recordBody(record));
    }),
  );
});

test.each<[string, NewEvidenceRecord, NewEvidenceRecord]>([
  ['a field that no schema knows', startedRecord('r1'), withFields(startedRecord('r2'), {extra: 1})],
  [
    'an undefined field in the location of another',
    startedRecord('r1', {lane_id: 'core'}),
    withFields(startedRecord('r2'), {lane: undefined}),
  ],
  [
    'a hash that is none',
    startedRecord('r1', {input_hash: hash, input_ref: 'p'}),
    startedRecord('r2', {input_hash: 'p', input_ref: 'p'}),
  ],
  ['a duration that is none', finishedRecord('r1'), finishedRecord('r2', {duration_ms: Number.NaN})],
  ['a negative duration', finishedRecord('r1'), finishedRecord('r2', {duration_ms: -1})],
  ['a result that is none', finishedRecord('r1'), withFields(finishedRecord('r2'), {result: 'well'})],
])('%s is as wrong after a record that was right', (_, right, wrong) => {
  const encoder = new RecordEncoder();
  encoder.encode(right);
  const refused = catchError(() => recordBody(wrong));
  expect(catchError(() => encoder.encode(wrong))).toEqual(refused);
});

function catchError(encode: () => string): unknown {
  try {
    return encode();
  } catch (error) {
    return error;
  }
}
