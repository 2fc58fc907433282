// What every evidence log vouches for: its records' Merkle root, signed, and how much of it is.
import {encodeHex, MerkleTree, parseCheckpoint, type NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import {sha256Bytes} from '@lumenflow/kernel/node';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {OpenAdapters, SignedEvidence} from './open-adapters.ts';

function started(receiptId: string): NewEvidenceRecord {
  return {
    type: 'tool_call_started',
    timestamp: '2026-01-02T03:04:05.678Z',
    receipt_id: receiptId,
    process_id: 'process.1',
    run_id: 'run-1',
    task_id: 'task-1',
    session_id: 'session-1',
    tool_name: 'files:read',
    execution_mode: 'pool',
    spec_hash: 'ab'.repeat(32),
    policy_decisions: [],
  };
}

/** By RFC 6962 over the hashes of the lines, from what a reader is given. */
async function rootOf(log: SignedEvidence): Promise<string> {
  const {receipts} = await log.evidence.read({limit: 1_000});
  const tree = new MerkleTree(sha256Bytes);
  for (const {started} of receipts.toReversed()) tree.append(sha256Bytes(JSON.stringify(started)));
  return encodeHex(tree.root());
}

export function runEvidenceCheckpointConformance({name, create}: OpenAdapters<SignedEvidence>): void {
  describe(`evidence checkpoints ${name}`, () => {
    let store: ReturnType<typeof create>;
    let log: SignedEvidence;
    beforeEach(async () => {
      store = create();
      log = await store.open();
    });
    afterEach(() => store.remove());

    const append = (...ids: readonly string[]): Promise<void> =>
      log.evidence.append(
        ids.map((id) => started(id)),
        {fsync: false},
      );

    test('of an empty log there is nothing to verify', async () => {
      expect(await log.signed.verify()).toMatchObject({
        status: 'empty',
        records: 0,
        signed_records: 0,
        root: await rootOf(log),
      });
    });

    test('what no checkpoint covers is an unsigned tail', async () => {
      await append('r1');
      expect(await log.signed.verify()).toMatchObject({status: 'unsigned_tail', records: 1, signed_records: 0});
      await log.signed.checkpoint();
      await append('r2', 'r3');
      const report = await log.signed.verify();
      expect(report).toMatchObject({status: 'unsigned_tail', records: 3, signed_records: 1});
      expect(report.findings).toHaveLength(1);
    });

    test('a checkpoint names the size and the root of all records, which then verify', async () => {
      await append('r1', 'r2', 'r3');
      const note = await log.signed.checkpoint();
      const [text = '', signature] = note.split('\n\n');
      const checkpoint = parseCheckpoint(`${text}\n`);
      expect(checkpoint?.size).toBe(3);
      expect(encodeHex(checkpoint?.root ?? new Uint8Array())).toBe(await rootOf(log));
      expect(signature).toMatch(/^— \S+ [A-Za-z0-9+/=]+\n$/u);
      expect(await log.signed.verify()).toMatchObject({
        status: 'verified',
        records: 3,
        signed_records: 3,
        root: await rootOf(log),
        findings: [],
      });
    });
  });
}
