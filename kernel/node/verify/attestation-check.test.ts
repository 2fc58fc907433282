import {attestationText} from '@lumenflow/kernel/adapters';
import type {Attestation, AttestedCall, RemoteOptions, ToolCallFinished} from '@lumenflow/schemas';
import {generateKeyPairSync} from 'node:crypto';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {noteKeyOf, type NoteKey} from '../signed-log/note-key.ts';
import {openSignedState} from '../state/signed-state.fixture.ts';
import {AttestationCheck} from './attestation-check.ts';
import {attestingWorkers} from './attesting-workers.ts';
import {verifyEvidence} from './verify-evidence.ts';
import type {VerifyFinding} from './verify-finding.ts';

const newKey = (name: string): NoteKey => noteKeyOf(name, generateKeyPairSync('ed25519').privateKey);
const idOf = ({verifierKey}: NoteKey): string => verifierKey.split('+', 2).join('+');
const [old, current, stranger] = [newKey('build'), newKey('build'), newKey('stranger')];
const workers = {
  workers: [{name: 'build', url: 'https://build.example:7070', key: current.verifierKey}],
  former_keys: [{key: old.verifierKey, until: '2026-11-01T00:00:00.000Z'}],
} satisfies RemoteOptions;

function attest(receiptId: string, key: NoteKey, more: Partial<AttestedCall> = {}): Attestation {
  const call: AttestedCall = {
    version: 1,
    receipt_id: receiptId,
    worker: 'build',
    key: idOf(key),
    lumenflow_version: '0.1.0',
    backend: 'bubblewrap',
    backend_version: '0.8.0',
    tier: 'standard',
    guarantees: {filesystem: 'enforced', memory: 'best_effort'},
    profile_digest: `sha256:${'ab'.repeat(32)}`,
    invocation_digest: 'cd'.repeat(32),
    output_digest: 'ef'.repeat(32),
    started_at: '2026-10-01T00:00:00.000Z',
    ended_at: '2026-10-01T00:00:01.000Z',
    ...more,
  };
  return {call, signature: Buffer.from(key.signer.sign(attestationText(call))).toString('base64')};
}

function recorded(
  attestation: Attestation | undefined,
  more: Partial<ToolCallFinished> = {},
  enforcement: Partial<ToolCallFinished['enforcement']> = {},
): ToolCallFinished {
  return {
    type: 'tool_call_finished',
    seq: 2,
    prev: '00'.repeat(32),
    timestamp: '2026-10-02T00:00:00.000Z',
    receipt_id: 'r-1',
    result: 'success',
    duration_ms: 5,
    enforcement: {backend: 'remote', tier: 'standard', ...(attestation && {attestation}), ...enforcement},
    ...more,
  };
}

function findingsOf(record: ToolCallFinished, keys: RemoteOptions | undefined = workers): readonly VerifyFinding[] {
  const findings: VerifyFinding[] = [];
  new AttestationCheck(keys, findings).check(record, {seq: 2, where: () => '`traces/1`:2'});
  return findings;
}

const found = (text: string): VerifyFinding[] => [
  {status: 'unattested', text: expect.stringContaining(`\`traces/1\`:2: the call \`r-1\` ${text}`) as string},
];

describe('accepted are', () => {
  test('an attestation by the key of a worker, and by its former key while it was valid', () => {
    expect(findingsOf(recorded(attest('r-1', current)))).toEqual([]);
    expect(findingsOf(recorded(attest('r-1', old)))).toEqual([]);
  });

  test('an attestation by the worker in the template of containers, which must not be missing', () => {
    const {verifierKey: worker_key} = current;
    const proxmox = {url: 'https://pve.example:8006', certificate: '/ca.pem', token: 'T', node: 'n', pool: 'p'};
    const keys = attestingWorkers({'proxmox-lxc': {...proxmox, template: 9000, worker_key}});
    const inContainer = {backend: 'proxmox-lxc'};
    expect(findingsOf(recorded(attest('r-1', current), {}, inContainer), keys)).toEqual([]);
    expect(findingsOf(recorded(attest('r-1', stranger), {}, inContainer), keys)).toHaveLength(1);
    expect(findingsOf(recorded(undefined, {}, inContainer), keys)).toEqual(
      found('ran on a worker, and no attestation'),
    );
  });

  test('calls that no worker ran or finished', () => {
    expect(findingsOf(recorded(undefined, {}, {backend: 'bubblewrap'}))).toEqual([]);
    expect(findingsOf(recorded(undefined, {result: 'failure'}, {tier: 'none'}))).toEqual([]);
    expect(findingsOf(recorded(undefined, {result: 'crashed'}))).toEqual([]);
    expect(findingsOf(recorded(undefined, {result: 'failure', error_code: 'TOOL_CRASHED'}))).toEqual([]);
    const {enforcement: _, ...without} = recorded(undefined);
    expect(findingsOf(without)).toEqual([]);
  });
});

describe('reported is', () => {
  test('a missing attestation', () => {
    for (const more of [{}, {result: 'failure', error_code: 'TOOL_EXECUTION_FAILED'}] as const) {
      expect(findingsOf(recorded(undefined, more))).toEqual(found('ran on a worker, and no attestation'));
    }
  });

  test('an attestation of another call', () => {
    expect(findingsOf(recorded(attest('r-2', current)))).toEqual(found('has the attestation of another call, `r-2`'));
  });

  test('a forged one: signed by another key under the id of a known one', () => {
    const forged = attest('r-1', stranger, {key: idOf(current)});
    expect(findingsOf(recorded(forged))).toEqual(
      found(`has an attestation that differs from what \`${idOf(current)}\``),
    );
  });

  test('one by an unknown or forgotten key, also when no workers are known', () => {
    const message = `is attested by the key \`${idOf(stranger)}\` of build, which is not a key of a worker`;
    expect(findingsOf(recorded(attest('r-1', stranger)))).toEqual(found(message));
    const forgotten = `is attested by the key \`${idOf(old)}\``;
    expect(findingsOf(recorded(attest('r-1', old)), {workers: workers.workers})).toEqual(found(forgotten));
    const findings: VerifyFinding[] = [];
    new AttestationCheck(undefined, findings).check(recorded(attest('r-1', current)), {seq: 2, where: () => 'x'});
    expect(findings).toHaveLength(1);
  });

  test('one by a former key after it was replaced', () => {
    const late = recorded(attest('r-1', old), {timestamp: '2026-11-01T00:00:00.001Z'});
    expect(findingsOf(late)).toEqual(
      found(`is attested by the key \`${idOf(old)}\` of build, which was valid until 2026-11-01T00:00:00.000Z`),
    );
  });

  test.each<[string, Partial<AttestedCall>]>([
    ['guarantee', {guarantees: {filesystem: 'enforced', memory: 'enforced'}}],
    ['backend', {backend: 'gvisor'}],
    ['worker', {worker: 'other'}],
    ['profile', {profile_digest: 'sha256:'}],
    ['output', {output_digest: '00'.repeat(32)}],
    ['end', {ended_at: '2026-10-01T00:00:02.000Z'}],
  ])('an edited %s', (_, edit) => {
    const {call, signature} = attest('r-1', current);
    const edited = {call: {...call, ...edit}, signature};
    expect(findingsOf(recorded(edited))).toEqual(found('has an attestation that differs'));
  });

  test('a record with another tier than the worker attested', () => {
    const record = recorded(attest('r-1', current), {}, {tier: 'hardened'});
    expect(findingsOf(record)).toEqual(found('is recorded with the tier hardened, and its worker attested standard'));
  });

  test('a signature that is not one', () => {
    const {call} = attest('r-1', current);
    expect(findingsOf(recorded({call, signature: '!'}))).toEqual(found('has an attestation that differs'));
  });
});

test('the verification of a log finds the record, and accepts what a known worker attested', async () => {
  const root = mkdtempSync(join(tmpdir(), 'lumenflow-attested-'));
  const folders = {stateFolder: join(root, 'kernel'), keyFolder: join(root, 'keys')};
  try {
    const state = await openSignedState({...folders, processes: createProcessRegistry(), workers});
    const enforcement = {backend: 'remote', tier: 'standard', attestation: attest('r-1', current)} as const;
    await state.evidence.append([startedRecord('r-1'), finishedRecord('r-1', {enforcement})], {fsync: false});
    await state.signed.checkpoint();
    expect(await state.signed.verify()).toMatchObject({status: 'verified', findings: []});
    const {attestation: _, ...unattested} = enforcement;
    const records = [startedRecord('r-2'), finishedRecord('r-2', {enforcement: unattested})];
    await state.evidence.append(records, {fsync: false});
    await state.close();
    const report = await verifyEvidence(folders.stateFolder, {keyFolder: folders.keyFolder, workers});
    expect(report).toMatchObject({status: 'unattested', records: 4});
    expect(report.findings).toEqual([expect.stringMatching(/: the call `r-2` ran on a worker, and no attestation/u)]);
    const unknown = await verifyEvidence(folders.stateFolder, {keyFolder: folders.keyFolder});
    expect(unknown.findings).toHaveLength(2);
  } finally {
    rmSync(root, {recursive: true});
  }
});
