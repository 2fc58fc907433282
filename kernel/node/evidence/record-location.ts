// Where the records of a call stand in the log.

export interface RecordLocation {
  readonly segment: number;
  readonly offset: number;
  readonly bytes: number;
}

/** Where all records of one call stand. */
export interface CallLocations {
  readonly startSeq: number;
  readonly started: RecordLocation;
  readonly progress: readonly RecordLocation[];
  readonly finished: RecordLocation | undefined;
}
