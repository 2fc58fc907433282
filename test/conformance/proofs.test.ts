// Proofs as a property: whatever the size of the log, the call and the change to its proof, our verifier and one that
// was written from the specifications alone say the same, and only what was not changed holds.
import {verifyEvidenceProof} from '@lumenflow/kernel/node';
import type {EvidenceProof} from '@lumenflow/schemas';
import * as fc from 'fast-check';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {createProcessTable} from '../support/process-table.ts';
import {memoryState} from '../support/state-home.ts';
import {checkAsStranger} from '../support/check-as-stranger.ts';
import {recordsOf} from './evidence-proof.conformance.ts';

const sizes = [1, 2, 3, 5, 8, 13, 21, 34];
const proofs: EvidenceProof[] = [];

beforeAll(async () => {
  const {evidence, signed, close} = await memoryState.create().open(createProcessTable().start());
  let calls = 0;
  for (const size of sizes) {
    for (; calls < size; calls += 1) await evidence.append(recordsOf(`r${calls}`), {fsync: false});
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
      if (part === 'checkpoint') changed.checkpoint = flipped(changed.checkpoint, at, bit);
      if (part === 'receipt_id') changed.receipt_id = other.receipt_id;
      if (part === 'blobs') changed.blobs = other.blobs;
      if (part === 'records') changed.records = other.records;
      const isSame = JSON.stringify(changed) === JSON.stringify(proof);
      expect(holds(changed, proof.verifier_key)).toEqual({ours: isSame, theirs: isSame});
    }),
  );
});

function flipped(text: string, at: number, bit: number): string {
  if (text === '') return 'x';
  const position = at % text.length;
  return (
    text.slice(0, position) + String.fromCharCode(text.charCodeAt(position) ^ (1 << bit)) + text.slice(position + 1)
  );
}
