// Signs and proves over lines in memory, as the log on files does over its segments.
import {
  blobsOf,
  checkpointText,
  consistencyPath,
  encodeHex,
  inclusionPath,
  leafHash,
  MerkleTree,
  nodeHash,
  signNote,
  type SubtreeHashes,
} from '@lumenflow/kernel/adapters';
import {sha256Bytes} from '@lumenflow/kernel/node';
import type {ConsistencyProof, EvidenceProof, EvidenceRecord} from '@lumenflow/schemas';
import {generateKeyPairSync, sign} from 'node:crypto';

const name = 'memory';

export interface MemoryProofs {
  /** RFC 6962's root over the first lines. */
  root(size: number): Uint8Array;
  /** Signs a head over all lines; gives the note. */
  sign(): string;
  prove(receiptId: string): EvidenceProof | undefined;
  proveConsistency(fromSize: number): ConsistencyProof | undefined;
}

export function createMemoryProofs(lines: readonly string[]): MemoryProofs {
  const {privateKey, publicKey} = generateKeyPairSync('ed25519');
  const typed = Buffer.from([1, ...Buffer.from(publicKey.export({format: 'jwk'}).x ?? '', 'base64url')]);
  const keyId = Buffer.from(sha256Bytes(Buffer.concat([Buffer.from(`${name}\n`), typed])).subarray(0, 4));
  const verifier_key = `${name}+${keyId.toString('hex')}+${typed.toString('base64')}`;
  const signed = new Set<number>();
  const root = (size: number): Uint8Array => {
    const tree = new MerkleTree(sha256Bytes);
    for (const line of lines.slice(0, size)) tree.append(sha256Bytes(line));
    return tree.root();
  };
  const at = (level: number, index: number): Uint8Array =>
    level === 0
      ? leafHash(sha256Bytes, sha256Bytes(lines[index] ?? ''))
      : nodeHash(sha256Bytes, at(level - 1, index * 2), at(level - 1, index * 2 + 1));
  const hashes: SubtreeHashes = {hash: sha256Bytes, at};
  const signAll = (): string => {
    const size = lines.length;
    signed.add(size);
    const text = checkpointText({origin: `${name}/traces`, size, root: root(size), extensions: []});
    return signNote(text, {name, keyId, sign: (note) => sign(null, Buffer.from(note), privateKey)});
  };
  return {
    root,
    sign: signAll,
    prove(receiptId) {
      const own = lines.flatMap((line, index) => {
        const record = JSON.parse(line) as EvidenceRecord;
        return record.receipt_id === receiptId ? [{line, index, record}] : [];
      });
      if (own.length === 0) return undefined;
      const records = own.map(({line, index}) => {
        const path = inclusionPath(index, lines.length, hashes).map(encodeHex);
        return {line, index, path};
      });
      const blobs = [...blobsOf(own.map(({record}) => record))];
      return {version: 1, receipt_id: receiptId, records, blobs, checkpoint: signAll(), verifier_key};
    },
    proveConsistency(fromSize) {
      if (!signed.has(fromSize)) return undefined;
      const path = consistencyPath(fromSize, lines.length, hashes).map(encodeHex);
      return {version: 1, from_size: fromSize, path, checkpoint: signAll(), verifier_key};
    },
  };
}
