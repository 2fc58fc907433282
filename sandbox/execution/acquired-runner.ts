// A runner that serves a call, and where it came from.
import type {RunnerWithResources} from '../warm-pool/spare.ts';

export interface AcquiredRunner {
  readonly runner: RunnerWithResources;
  /** warm: started before its first call. reused: has served calls of the same task. */
  readonly start: 'cold' | 'warm' | 'reused';
  /** Calls that it has served before this one. */
  readonly served: number;
  /** Usage before this call, as last measured. */
  readonly earlierCpuMs: number;
}
