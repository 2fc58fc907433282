// Where the records of a call stand in the log.

export interface RecordPlace {
  readonly segment: number;
  readonly offset: number;
  readonly bytes: number;
}

/** Where all records of one call stand. */
export interface CallPlaces {
  readonly startSeq: number;
  readonly started: RecordPlace;
  readonly progress: readonly RecordPlace[];
  readonly finished: RecordPlace | undefined;
}
