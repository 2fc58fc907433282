// What every evidence log can prove to a stranger, who has no log and none of this project's code.
import type {NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import {sha256Hex, verifyEvidenceConsistency, verifyEvidenceProof} from '@lumenflow/kernel/node';
import type {EvidenceProof} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {checkAsStranger} from '../support/check-as-stranger.ts';
import type {OpenAdapters, SignedEvidence} from './open-adapters.ts';

const timestamp = '2026-01-02T03:04:05.678Z';

export function recordsOf(receiptId: string): readonly NewEvidenceRecord[] {
  const started: NewEvidenceRecord = {
    type: 'tool_call_started',
    timestamp,
    receipt_id: receiptId,
    process_id: 'process.1',
    run_id: 'run-1',
    task_id: 'task-1',
    session_id: 'session-1',
    tool_name: 'files:read',
    execution_mode: 'pool',
    spec_hash: 'ab'.repeat(32),
    policy_decisions: [],
    input_hash: sha256Hex(`in ${receiptId}`),
  };
  return [
    started,
    {type: 'tool_call_progress', timestamp, receipt_id: receiptId, sequence: 1, payload: 'hälf'},
    {
      type: 'tool_call_finished',
      timestamp,
      receipt_id: receiptId,
      result: 'success',
      duration_ms: 2,
      output_hash: sha256Hex(`out ${receiptId}`),
      log_hash: sha256Hex(`log ${receiptId}`),
    },
  ];
}

/** Ours and the stranger's must say the same; gives what they say. */
function isValid(proof: EvidenceProof, key: string): boolean {
  const ours = verifyEvidenceProof(structuredClone(proof), key).valid;
  let theirs = true;
  try {
    checkAsStranger(proof, key);
  } catch {
    theirs = false;
  }
  expect(ours).toBe(theirs);
  return ours;
}

/** Each proof differs from the right one in one thing. */
function forgeries(proof: EvidenceProof, other: EvidenceProof): readonly EvidenceProof[] {
  const change = (at: number, more: Partial<EvidenceProof['records'][number]>): EvidenceProof => ({
    ...proof,
    records: proof.records.map((record, index) => (index === at ? {...record, ...more} : record)),
  });
  const [first, , last] = proof.records;
  const path = first?.path ?? [];
  const flip = (hash = ''): string => `${hash.startsWith('0') ? '1' : '0'}${hash.slice(1)}`;
  return [
    change(2, {line: last?.line.replace('"success"', '"failure"') ?? ''}),
    change(0, {line: first?.line.replace('files:read', 'files:none') ?? ''}),
    change(0, {line: `${first?.line ?? ''} `}),
    change(0, {index: (first?.index ?? 0) + 1}),
    change(0, {path: path.slice(1)}),
    change(0, {path: [...path, ...path]}),
    ...path.map((hash, at) => change(0, {path: path.with(at, flip(hash))})),
    {...proof, records: []},
    {...proof, records: proof.records.slice(1)},
    {...proof, records: proof.records.toReversed()},
    {...proof, records: [...proof.records, ...other.records]},
    {...proof, records: other.records},
    {...proof, receipt_id: other.receipt_id},
    {...proof, blobs: other.blobs},
    {...proof, blobs: proof.blobs.slice(1)},
    {...proof, blobs: proof.blobs.toReversed()},
    {...proof, checkpoint: proof.checkpoint.replace(/\n[0-9]+\n/u, '\n9999\n')},
    {...proof, checkpoint: proof.checkpoint.replace('/traces', '/events')},
    {...proof, checkpoint: proof.checkpoint.slice(0, proof.checkpoint.indexOf('\n\n') + 2)},
    {...proof, checkpoint: ''},
  ];
}

export function runEvidenceProofConformance({name, create}: OpenAdapters<SignedEvidence>): void {
  describe(`evidence proofs ${name}`, () => {
    let store: ReturnType<typeof create>;
    let log: SignedEvidence;
    beforeEach(async () => {
      store = create();
      log = await store.open();
    });
    afterEach(() => store.remove());

    const append = async (from: number, to: number): Promise<void> => {
      for (let call = from; call < to; call += 1) await log.evidence.append(recordsOf(`r${call}`), {fsync: false});
    };
    const prove = async (receiptId: string): Promise<EvidenceProof> => {
      const proof = await log.signed.prove(receiptId);
      return proof ?? expect.fail(`\`${receiptId}\` cannot be proven`);
    };

    test('are valid for every call, at every size', async () => {
      for (let call = 0; call < 9; call += 1) {
        await append(call, call + 1);
        for (let older = 0; older <= call; older += 3) {
          const proof = await prove(`r${older}`);
          expect(isValid(proof, proof.verifier_key)).toBe(true);
          expect(proof.records.map(({line}) => sha256Hex(line))).toHaveLength(3);
          expect(proof.blobs.map(({role}) => role)).toEqual(['input', 'output', 'log']);
        }
      }
      expect(await log.signed.prove('nobody')).toBeUndefined();
      expect((await log.signed.verify()).status).toBe('verified');
    });

    test('of an open call are valid for its existing records', async () => {
      await log.evidence.append(recordsOf('r1').slice(0, 2), {fsync: false});
      const proof = await prove('r1');
      expect(isValid(proof, proof.verifier_key)).toBe(true);
      expect(proof.records).toHaveLength(2);
    });

    test('say whether the key was known, and fail for another key', async () => {
      await append(0, 2);
      const proof = await prove('r1');
      const {verifier_key} = proof;
      expect(verifyEvidenceProof(proof)).toMatchObject({valid: true, trusted: false, verifier_key, size: 6});
      expect(verifyEvidenceProof(proof, verifier_key)).toMatchObject({
        valid: true,
        trusted: true,
        records: [{seq: 4}, {seq: 5, payload: 'hälf'}, {seq: 6, result: 'success'}],
      });
      const strange = `other+00000000+${verifier_key.split('+').slice(2).join('+')}`;
      for (const key of [strange, '', 'x']) expect(isValid(proof, key)).toBe(false);
    });

    test('fail when anything is changed', async () => {
      await append(0, 8);
      const [proof, other] = [await prove('r2'), await prove('r5')];
      for (const [index, forged] of forgeries(proof, other).entries()) {
        expect(isValid(forged, proof.verifier_key), `forgery ${index}`).toBe(false);
      }
      for (const nothing of [undefined, null, 1, {}, {...proof, version: 2}, {...proof, extra: 1}]) {
        expect(verifyEvidenceProof(nothing)).toMatchObject({
          valid: false,
          reason: expect.stringContaining('no evidence'),
        });
      }
    });

    test('show that what was signed before is the beginning of what is signed now', async () => {
      const notes = new Map<number, string>();
      for (let call = 0; call < 7; call += 1) {
        await append(call, call + 1);
        notes.set(3 * (call + 1), await log.signed.checkpoint());
      }
      for (const [size, note] of notes) {
        const proof = (await log.signed.proveConsistency(size)) ?? expect.fail();
        expect(verifyEvidenceConsistency(proof, note)).toBe(true);
        expect(verifyEvidenceConsistency(proof, note, [proof.verifier_key])).toBe(true);
        expect(verifyEvidenceConsistency(proof, note, [])).toBe(false);
        expect(verifyEvidenceConsistency(proof, notes.get(size === 3 ? 6 : 3) ?? '')).toBe(false);
        expect(verifyEvidenceConsistency({...proof, path: [...proof.path, '0'.repeat(64)]}, note)).toBe(false);
        expect(verifyEvidenceConsistency({...proof, path: ['x']}, note)).toBe(false);
      }
      expect(await log.signed.proveConsistency(4)).toBeUndefined();
    });

    test('are not made by a log that is closed', async () => {
      await append(0, 1);
      await log.signed.close();
      await expect(log.signed.prove('r0')).rejects.toMatchObject({code: 'RUNTIME_CLOSED'});
      await expect(log.signed.proveConsistency(3)).rejects.toMatchObject({code: 'RUNTIME_CLOSED'});
    });
  });
}
