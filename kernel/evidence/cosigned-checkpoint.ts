// What signing a checkpoint and submitting it to witnesses returns.

/** A checkpoint over the records, and what the witnesses did with it. */
export interface CosignedCheckpoint {
  /** The note with the cosignatures that it has. */
  readonly checkpoint: string;
  /** Of each witness and each log; empty if workspace.yaml names none. */
  readonly answers: readonly WitnessAnswer[];
}

export interface WitnessAnswer {
  readonly name: string;
  readonly url: string;
  readonly log: 'events' | 'traces';
  /** ISO 8601. */
  readonly at: string;
  /** Lines of the log that the witness has cosigned. */
  readonly cosigned: number;
  /** Why it did not cosign the newest checkpoint. */
  readonly problem?: {readonly kind: string; readonly message: string; readonly since: string};
}
