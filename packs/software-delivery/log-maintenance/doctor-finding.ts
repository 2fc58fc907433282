// A problem that the doctor found.
export type Area = 'log' | 'memory' | 'merges' | 'signals' | 'specs' | 'stalled' | 'work_units' | 'worktrees';

export interface DoctorFinding {
  readonly area: Area;
  readonly code: string;
  /** An error makes results wrong. A warning costs time or needs attention. */
  readonly severity: 'error' | 'warning';
  /** A line of the log, the name of a state, a work unit, or a path. */
  readonly subject: string;
  readonly message: string;
  /** How to fix it. */
  readonly fix: string;
  /** Whether `doctor` with `fix: true` fixes it. */
  readonly fixable: boolean;
}

export const byDoctor = 'run `doctor` with `fix: true`';
