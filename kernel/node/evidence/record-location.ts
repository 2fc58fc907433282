// The positions of a call's records in the log.

export interface RecordLocation {
  readonly segment: number;
  readonly offset: number;
  readonly bytes: number;
}

/** The positions of all records of one call. */
export interface CallLocations {
  readonly startSeq: number;
  readonly started: RecordLocation;
  readonly progress: readonly RecordLocation[];
  readonly finished: RecordLocation | undefined;
}
