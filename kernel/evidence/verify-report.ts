// What verification of an evidence log returns.

/** A key and what it signed. */
export interface EvidenceSigner {
  /** C2SP verifier key. */
  readonly verifier_key: string;
  readonly checkpoints: number;
  /** Records that the newest of these checkpoints covers. */
  readonly records: number;
}

/** A witness, and what it cosigned of the records. */
export interface EvidenceWitness {
  /** Of its verifier key. */
  readonly name: string;
  /** C2SP verifier key. */
  readonly verifier_key: string;
  /** Records that the newest checkpoint with its cosignature covers; 0 if there is none. */
  readonly records: number;
  /** When it cosigned this checkpoint, ISO 8601. */
  readonly cosigned_at?: string;
}

/** Result of verifying an evidence log; `status` maps to the CLI's exit codes. */
export interface VerifyReport {
  readonly status:
    | 'verified'
    | 'tampered'
    | 'truncated'
    | 'unsigned_tail'
    | 'empty'
    | 'blob_missing'
    | 'unattested'
    | 'unapproved'
    | 'unwitnessed';
  readonly records: number;
  readonly blobs: number;
  /** References to redacted contents; each is also a finding. */
  readonly redacted: number;
  /** References to contents that a power cut destroyed before they were on disk or signed; each is also a finding. */
  readonly lost: number;
  /** References to contents that a rule of `retention` deleted. This is not a finding. */
  readonly expired: number;
  /** RFC 6962 root over all records, hex; the root of the empty tree if there are none. */
  readonly root: string;
  /** Records covered by the newest valid signed checkpoint. */
  readonly signed_records: number;
  /** Approvals with a valid signature of a passkey that their person had then. */
  readonly signed_approvals: number;
  /** Public key of the newest checkpoint's signer as a C2SP verifier key, if there is a checkpoint. */
  readonly verifier_key?: string;
  /** Every key that signed a checkpoint over the records, in order of first use. */
  readonly signers: readonly EvidenceSigner[];
  /** The required witnesses; empty if none are required. */
  readonly witnesses: readonly EvidenceWitness[];
  /** Records covered by a checkpoint that as many witnesses as required cosigned; absent if none are required. */
  readonly witnessed_records?: number;
  /** What is wrong, in order of discovery: file, record, expected value. */
  readonly findings: readonly string[];
}
