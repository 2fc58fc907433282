// Proofs as a property: for any size of the log, call and change to its proof, our verifier and one written from the specifications
// alone agree, and only unchanged proofs are valid.
import {createProcessTable, forgeriesOf, recordsOfCall} from '@lumenflow/kernel/conformance';
import {verifyEvidenceProof} from '@lumenflow/kernel/node';
import type {EvidenceProof} from '@lumenflow/schemas';
import * as fc from 'fast-check';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {checkAsStranger} from '../support/check-as-stranger.ts';
import {memoryState, openSignedState} from '../support/state-home.ts';

const sizes = [1, 2, 3, 5, 8, 13, 21, 34];
const proofs: EvidenceProof[] = [];

beforeAll(async () => {
  const {evidence, signed, close} = await openSignedState(memoryState.create(), createProcessTable().start());
  let calls = 0;
  for (const size of sizes) {
    for (; calls < size; calls += 1) await evidence.append(recordsOfCall(`r${calls}`), {fsync: false});
    for (let call = 0; call < size; call += 1) proofs.push((await signed.prove(`r${call}`)) ?? expect.fail());
  }
  await close();
});
afterAll(() => proofs.splice(0));

function holds(proof: EvidenceProof, key: string): {readonly ours: boolean; readonly theirs: boolean} {
  const ours = verifyEvidenceProof(structuredClone(proof), key).valid;
  try {
    checkAsStranger(proof, key);
    return {ours, theirs: true};
  } catch {
    return {ours, theirs: false};
  }
}

test('of every call at every size are valid for both', () => {
  for (const proof of proofs) expect(holds(proof, proof.verifier_key)).toEqual({ours: true, theirs: true});
});

test('that are forged are invalid for both', () => {
  const [other = expect.fail(), proof = expect.fail()] = proofs.slice(-3);
  for (const [index, forged] of forgeriesOf(proof, other).entries()) {
    expect(holds(forged, proof.verifier_key), `forgery ${index}`).toEqual({ours: false, theirs: false});
  }
});

test('are valid for both only with the key that signed them', () => {
  const proof = proofs.at(-1) ?? expect.fail();
  const strange = `other+00000000+${proof.verifier_key.split('+').slice(2).join('+')}`;
  for (const key of [strange, '', 'x']) expect(holds(proof, key)).toEqual({ours: false, theirs: false});
});

/** One character of one text of a proof, or two of its parts exchanged with those of another. */
const change = fc.record({
  proof: fc.nat(),
  other: fc.nat(),
  part: fc.constantFrom('line', 'index', 'path', 'checkpoint', 'receipt_id', 'blobs', 'records'),
  at: fc.nat(),
  bit: fc.integer({min: 0, max: 6}),
});

test('that were changed in any one field are invalid for both', () => {
  fc.assert(
    fc.property(change, ({proof: which, other: whose, part, at, bit}) => {
      const [proof, other] = [which, whose].map((number) => proofs[number % proofs.length]);
      if (proof === undefined || other === undefined) throw new Error('there are no proofs');
      const changed = structuredClone(proof);
      const record = changed.records[at % changed.records.length];
      if (record === undefined) throw new Error('a proof has no records');
      if (part === 'line') record.line = flipped(record.line, at, bit);
      if (part === 'index') record.index = other.records[0]?.index ?? 0;
      if (part === 'path')
        record.path = record.path.map((hash, index) => (index === at % 5 ? flipped(hash, at, bit) : hash));
      if (part === 'checkpoint') {
        const signed = signedPart(changed.checkpoint);
        changed.checkpoint = flipped(signed, at, bit) + changed.checkpoint.slice(signed.length);
      }
      if (part === 'receipt_id') changed.receipt_id = other.receipt_id;
      if (part === 'blobs') changed.blobs = other.blobs;
      if (part === 'records') changed.records = other.records;
      const isSame = JSON.stringify(changed) === JSON.stringify(proof);
      expect(holds(changed, proof.verifier_key)).toEqual({ours: isSame, theirs: isSame});
    }),
  );
});

/** The text and the first signature. The second one is of a name that this verifier's key does not have: verifiers ignore it. */
function signedPart(note: string): string {
  return note.slice(0, note.indexOf('\n', note.indexOf('\n\n') + 2));
}

function flipped(text: string, at: number, bit: number): string {
  if (text === '') return 'x';
  const position = at % text.length;
  return (
    text.slice(0, position) + String.fromCharCode(text.charCodeAt(position) ^ (1 << bit)) + text.slice(position + 1)
  );
}
