// A case of the conformance suite for sandbox backends: what a call does inside, and the required outcome.
import type {ResourceLimits} from '@lumenflow/schemas';
import type {SandboxRequest, SandboxResult} from '../backends/sandbox-call.ts';
import type {CallExecutor} from '../execution/create-call-executor.ts';

export interface CaseCall {
  /** Patterns of workspace-relative paths; the first two default to none. */
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  /** Entries of a network allowlist; default network off. */
  readonly allow?: readonly string[];
  readonly limits?: ResourceLimits;
  readonly input?: unknown;
  readonly wallMs?: number;
  /** For `context.env`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly request?: Partial<SandboxRequest>;
}

export interface CaseStage {
  /** Absolute, empty at the start of each case. */
  readonly workspace: string;
  readonly executor: CallExecutor;
  put(path: string, content?: string): string;
  /** Runs a handler `async (input, context) => { … }` of this body, which has `fs` and `net`. */
  call(body: string, call?: CaseCall): Promise<SandboxResult>;
  /** Another executor with a separate backend, as a second host has it. */
  secondHost(): Promise<CaseStage>;
}

export interface BackendCase {
  readonly name: string;
  /** Of a directory around the workspace and the handler; default none. */
  readonly below?: string;
  /** Rejects with an AssertionError. */
  run(stage: CaseStage): Promise<void>;
}
