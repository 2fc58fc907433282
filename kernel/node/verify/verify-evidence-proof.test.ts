// What is not an evidence proof at all; the conformance suite for states forges real ones.
import {expect, test} from 'vitest';
import {verifyEvidenceProof} from './verify-evidence-proof.ts';

const empty = {version: 1, receipt_id: 'r1', records: [], blobs: [], checkpoint: '', verifier_key: ''};

test.each([undefined, null, 1, 'proof', [], {}, {...empty, version: 2}, {...empty, extra: 1}])(
  'a value that is not a proof is invalid: %j',
  (value) => {
    const verified = verifyEvidenceProof(value);
    expect(verified).toMatchObject({valid: false, reason: expect.stringContaining('evidence proof')});
  },
);
