// Proofs: what somebody without the log can verify of one call, and of the growth of the log.
import assert from 'node:assert/strict';
import type {EvidenceProof} from '@lumenflow/schemas';
import {sha256Hex} from '../system/sha256.ts';
import {verifyEvidenceConsistency, verifyEvidenceProof} from '../verify/verify-evidence-proof.ts';
import {recordsOfCall} from './example-records.ts';
import {forgeriesOf} from './forgeries.ts';
import type {SignedState, StateCase} from './state-case.ts';

async function append({state}: SignedState, from: number, to: number): Promise<void> {
  for (let call = from; call < to; call += 1) await state.evidence.append(recordsOfCall(`r${call}`), {fsync: false});
}

async function prove({signed}: SignedState, receiptId: string): Promise<EvidenceProof> {
  const proof = await signed.prove(receiptId);
  assert(proof !== undefined, `\`${receiptId}\` cannot be proven`);
  return proof;
}

function isValid(proof: unknown, key?: string): boolean {
  return verifyEvidenceProof(structuredClone(proof), key).valid;
}

export const proofCases: readonly StateCase[] = [
  {
    name: 'proofs are valid for every call, at every size',
    async run({openSigned}) {
      const log = await openSigned();
      for (let call = 0; call < 9; call += 1) {
        await append(log, call, call + 1);
        for (let older = 0; older <= call; older += 3) {
          const proof = await prove(log, `r${older}`);
          assert(isValid(proof, proof.verifier_key));
          assert.equal(new Set(proof.records.map(({line}) => sha256Hex(line))).size, 3);
          assert.deepEqual(
            proof.blobs.map(({role}) => role),
            ['input', 'output', 'log'],
          );
        }
      }
      assert.equal(await log.signed.prove('unknown'), undefined);
      assert.equal((await log.signed.verify()).status, 'verified');
    },
  },
  {
    name: 'a proof of an open call is valid for its existing records',
    async run({openSigned}) {
      const log = await openSigned();
      await log.state.evidence.append(recordsOfCall('r1').slice(0, 2), {fsync: false});
      const proof = await prove(log, 'r1');
      assert(isValid(proof, proof.verifier_key));
      assert.equal(proof.records.length, 2);
    },
  },
  {
    name: 'a proof is trusted only for its known key',
    async run({openSigned}) {
      const log = await openSigned();
      await append(log, 0, 2);
      const proof = await prove(log, 'r1');
      const {verifier_key} = proof;
      const unknown = verifyEvidenceProof(proof);
      assert(unknown.valid);
      assert.deepEqual(
        {trusted: unknown.trusted, verifier_key: unknown.verifier_key, size: unknown.size},
        {trusted: false, verifier_key, size: 6},
      );
      const known = verifyEvidenceProof(proof, verifier_key);
      assert(known.valid && known.trusted);
      assert.deepEqual(
        known.records.map(({seq}) => seq),
        [4, 5, 6],
      );
      const strange = `other+00000000+${verifier_key.split('+').slice(2).join('+')}`;
      for (const key of [strange, '', 'x']) assert.equal(isValid(proof, key), false);
    },
  },
  {
    name: 'a proof is invalid when anything in it is changed',
    async run({openSigned}) {
      const log = await openSigned();
      await append(log, 0, 8);
      const [proof, other] = [await prove(log, 'r2'), await prove(log, 'r5')];
      for (const [index, forged] of forgeriesOf(proof, other).entries()) {
        assert.equal(isValid(forged, proof.verifier_key), false, `forgery ${index}`);
      }
    },
  },
  {
    name: 'a consistency proof shows that an earlier checkpoint is the beginning of the log',
    async run({openSigned}) {
      const log = await openSigned();
      const notes = new Map<number, string>();
      for (let call = 0; call < 7; call += 1) {
        await append(log, call, call + 1);
        notes.set(3 * (call + 1), await log.signed.checkpoint());
      }
      for (const [size, note] of notes) {
        const proof = await log.signed.proveConsistency(size);
        assert(proof !== undefined);
        assert(verifyEvidenceConsistency(proof, note));
        assert(verifyEvidenceConsistency(proof, note, [proof.verifier_key]));
        assert.equal(verifyEvidenceConsistency(proof, note, []), false);
        assert.equal(verifyEvidenceConsistency(proof, notes.get(size === 3 ? 6 : 3) ?? ''), false);
        for (const path of [[...proof.path, '0'.repeat(64)], ['x']]) {
          assert.equal(verifyEvidenceConsistency({...proof, path}, note), false);
        }
      }
      assert.equal(await log.signed.proveConsistency(4), undefined);
    },
  },
  {
    name: 'a closed log proves nothing',
    async run({openSigned}) {
      const log = await openSigned();
      await append(log, 0, 1);
      await log.signed.close();
      await assert.rejects(log.signed.prove('r0'), {code: 'RUNTIME_CLOSED'});
      await assert.rejects(log.signed.proveConsistency(3), {code: 'RUNTIME_CLOSED'});
    },
  },
];
