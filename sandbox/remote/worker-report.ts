// What a worker reports of itself, and of each execution.
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {Guarantee, Strength, Tier} from '../backends/probe-report.ts';

/** What enforces calls on a worker, as its own probe found it. */
export interface WorkerBackend {
  readonly backend: string;
  readonly version: string;
  readonly tier: Tier;
  readonly guarantees: Readonly<Record<Guarantee, Strength>>;
}

export interface WorkerReport {
  readonly name: string;
  /** Of LumenFlow. */
  readonly version: string;
  readonly protocol: number;
  readonly draining: boolean;
  readonly slots: number;
  readonly free: number;
  readonly enforced: WorkerBackend | null;
  /** Why it cannot run calls. */
  readonly problem?: SandboxProblem;
}

/** The reply to a request for an execution. */
export interface AcceptedExecution {
  readonly id: string;
  readonly protocol: number;
  /** Of LumenFlow. */
  readonly version: string;
  readonly worker: string;
  readonly enforced: WorkerBackend;
}

/** The last that a worker reports of an execution. */
export interface ExecutionEnd {
  readonly exit_code: number;
  readonly signal?: string;
  readonly problem?: string;
}

/**
 * Of the requests to workers, the messages of agents and the wire of handlers together. Raise it with every change of these that an
 * older or newer side would misread.
 */
export const protocol: number = 1;
