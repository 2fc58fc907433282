// The signed log: checkpoints name the size and the Merkle root of all records.
import assert from 'node:assert/strict';
import {encodeHex, MerkleTree, parseCheckpoint} from '@lumenflow/kernel/adapters';
import type {WorkspaceState} from '../state/workspace-state.ts';
import {sha256Bytes} from '../system/sha256.ts';
import {startedRecord} from './example-records.ts';
import type {StateCase} from './state-case.ts';

async function append({evidence}: WorkspaceState, ...receiptIds: readonly string[]): Promise<void> {
  const records = receiptIds.map((id) => startedRecord(id));
  await evidence.append(records, {fsync: false});
}

/** By RFC 6962 over the hashes of the lines, from what a reader gets. */
async function rootOf({evidence}: WorkspaceState): Promise<string> {
  const {receipts} = await evidence.read({limit: 1_000});
  const tree = new MerkleTree(sha256Bytes);
  for (const {started} of receipts.toReversed()) tree.append(sha256Bytes(JSON.stringify(started)));
  return encodeHex(tree.root());
}

export const checkpointCases: readonly StateCase[] = [
  {
    name: 'an empty log verifies as empty',
    async run({openSigned}) {
      const {state, signed} = await openSigned();
      const {status, records, signed_records, root} = await signed.verify();
      const expected = {status: 'empty', records: 0, signed_records: 0, root: await rootOf(state)};
      assert.deepEqual({status, records, signed_records, root}, expected);
    },
  },
  {
    name: 'records after the last checkpoint are an unsigned tail',
    async run({openSigned}) {
      const {state, signed} = await openSigned();
      const counts = async () => {
        const {status, records, signed_records, findings} = await signed.verify();
        return {status, records, signed_records, findings: findings.length};
      };
      await append(state, 'r1');
      assert.deepEqual(await counts(), {status: 'unsigned_tail', records: 1, signed_records: 0, findings: 1});
      await signed.checkpoint();
      await append(state, 'r2', 'r3');
      assert.deepEqual(await counts(), {status: 'unsigned_tail', records: 3, signed_records: 1, findings: 1});
    },
  },
  {
    name: 'a checkpoint names the size and the root of all records, which then verify',
    async run({openSigned}) {
      const {state, signed} = await openSigned();
      await append(state, 'r1', 'r2', 'r3');
      const note = await signed.checkpoint();
      const [text = '', signature = ''] = note.split('\n\n');
      const checkpoint = parseCheckpoint(`${text}\n`);
      assert(checkpoint !== undefined);
      assert.equal(checkpoint.size, 3);
      assert.equal(encodeHex(checkpoint.root), await rootOf(state));
      assert.match(signature, /^— (\S+) [A-Za-z0-9+/=]+\n— \1\/traces [A-Za-z0-9+/=]+\n$/u);
      const {status, records, signed_records, root, findings} = await signed.verify();
      assert.deepEqual(
        {status, records, signed_records, root, findings},
        {status: 'verified', records: 3, signed_records: 3, root: await rootOf(state), findings: []},
      );
    },
  },
];
