// Checks proofs with Node's cryptography: nothing is read but what is given.
import {verifyConsistencyProof, verifyProof, type ProofPorts, type ProofVerdict} from '@lumenflow/kernel/adapters';
import type {ConsistencyProof} from '@lumenflow/schemas';
import {parseVerifierKey} from '../signed-log/note-key.ts';
import {sha256Bytes} from '../system/sha256.ts';

const ports: ProofPorts = {sha256: sha256Bytes, parseVerifierKey};

/** `proof` is parsed JSON. `trustedKey` is the C2SP verifier key of the log, got from elsewhere than the proof. */
export function verifyEvidenceProof(proof: unknown, trustedKey?: string): ProofVerdict {
  return verifyProof(proof, ports, trustedKey);
}

/** Whether the log that `olderNote` was signed over is the beginning of the proof's; both signed by trusted keys. */
export function verifyEvidenceConsistency(
  proof: ConsistencyProof,
  olderNote: string,
  trustedKeys?: readonly string[],
): boolean {
  return verifyConsistencyProof(proof, olderNote, ports, trustedKeys);
}
