// The port of snapshots of the state.

/** The state after the first events, as a text. */
export interface Snapshot {
  /** The last event that it includes. */
  readonly throughSeq: number;
  readonly text: string;
}

/** Snapshots of the state, with which a start reads only later events. They can be deleted at any time. */
export interface SnapshotStore {
  /** The newest one whose SHA-256 is in a `state_snapshot` event of the log, and so is exactly as trustworthy as the log. */
  newest(): Snapshot | undefined;
  /** Whether so many events followed that another one is worth its cost. */
  isDue(): boolean;
  /**
   * Stores the state after all events that listeners have received, and records its SHA-256 in an event of this time. A snapshot that
   * cannot be stored is reported as a warning, because nothing depends on it.
   */
  keep(text: string, timestamp: string): Promise<void>;
}
