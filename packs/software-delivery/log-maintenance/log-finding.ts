// A problem of the pack's state, for people and for repair tools.
export interface LogFinding {
  readonly code:
    | 'LOG_LINE_DAMAGED'
    | 'LOG_TIME_BACKWARDS'
    | 'SNAPSHOT_UNREADABLE'
    | 'SNAPSHOT_WRONG'
    | 'STATE_UNKNOWN'
    | 'INITIATIVE_UNKNOWN'
    | 'SPEC_NOT_RECORDED'
    | 'WU_DISAGREES';
  /** An error makes results wrong. A warning costs time or needs attention. */
  readonly severity: 'error' | 'warning';
  /** A line of the log, the name of a state, or a work unit. */
  readonly subject: string;
  readonly message: string;
  /** How to fix it. */
  readonly fix: string;
}
