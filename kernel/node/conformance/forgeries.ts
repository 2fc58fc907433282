// Proofs that differ from a valid one in one thing each.
import type {EvidenceProof} from '@lumenflow/schemas';

/** `other`: a proof of another call in the same log. */
export function forgeriesOf(proof: EvidenceProof, other: EvidenceProof): readonly EvidenceProof[] {
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
