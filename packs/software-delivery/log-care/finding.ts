// What is wrong with the pack's state, for people and for who repairs it.
export interface Finding {
  readonly code:
    | 'LOG_LINE_DAMAGED'
    | 'LOG_TIME_BACKWARDS'
    | 'SNAPSHOT_UNREADABLE'
    | 'SNAPSHOT_WRONG'
    | 'STATE_UNKNOWN'
    | 'INITIATIVE_UNKNOWN'
    | 'SPEC_NOT_RECORDED'
    | 'WU_DISAGREES';
  /** An error makes answers wrong; a warning costs time or is to be looked at. */
  readonly severity: 'error' | 'warning';
  /** A line of the log, a state's name, a work unit. */
  readonly subject: string;
  readonly message: string;
  /** What puts it right. */
  readonly fix: string;
}
