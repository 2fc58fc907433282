// One call that a sandbox runs, and its outcome, for every backend.
import type {
  Enforcement,
  Invocation,
  NeededGuarantee,
  SandboxBackendName,
  SandboxBackendOptions,
  SecurityTier,
  ToolOutput,
  WireMessage,
} from '@lumenflow/schemas';
import type {CompiledProfile} from '../profile/profile-input.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {LastingRequest} from './lasting-request.ts';
import type {TransactionView} from './transaction-view.ts';

/** What determines the backend of a call. */
export type BackendChoice = Pick<SandboxRequest, 'backend' | 'securityTier' | 'backendOptions'>;

export interface SandboxRequest {
  readonly profile: CompiledProfile;
  readonly invocation: Invocation;
  /** From the start of the process to its end. */
  readonly wallMs: number;
  /** What the backend must be able to give; default: `standard`, or `dev` where the host was made for `unsafe-host`. */
  readonly securityTier?: SecurityTier;
  /** One, or several in order of preference; default: the platform's own. */
  readonly backend?: SandboxBackendName | readonly SandboxBackendName[];
  /** Options of backends by name; default: none. */
  readonly backendOptions?: SandboxBackendOptions | undefined;
  /** Guarantees that the backend must enforce beyond the profile. */
  readonly needs?: readonly NeededGuarantee[] | undefined;
  readonly signal?: AbortSignal;
  /**
   * What the handler sends apart from its result. `reply` answers a request, and resolves once the handler has read the answer.
   * `content`: what the value of a response contains as base64. After the call `reply` does nothing.
   */
  readonly onMessage?: (
    message: WireMessage,
    reply: (answer: WireMessage, content?: Uint8Array) => Promise<void>,
  ) => void;
  readonly onPid?: (pid: number) => void;
  /** Gives the call a private view of the workspace. A backend that cannot start a call in a view rejects it. */
  readonly transaction?: TransactionView | undefined;
  /** Allows a sandbox that was started earlier to serve the call; without it the start is cold. */
  readonly warm?: WarmRequest;
  /** Keeps the sandbox, with all that is in it, for later calls of the same program. The call must not be able to write. */
  readonly lasting?: LastingRequest | undefined;
}

export interface WarmRequest {
  /** Names the very bytes of the pack: a spare of another version never serves the call. */
  readonly packHash: string;
  /** Of the task whose calls may share a sandbox, and with it what earlier ones left inside. */
  readonly reuseForTask?: string;
  /** Fulfilled once the caller has its result: spares for the next calls are started then. Default: when this result is out. */
  readonly settled?: Promise<void>;
}

export interface SandboxResult {
  /**
   * The handler's output, or a failure of this call: SANDBOX_UNAVAILABLE, TOOL_TIMEOUT, TOOL_CANCELLED,
   * LIMIT_EXCEEDED with the `limit` in its details, TOOL_CRASHED.
   */
  readonly output: ToolOutput;
  /** Why the handler was not started: `output` is not its own. */
  readonly neverRan?: SandboxProblem;
  /** As a shell gives it, 0 after a result, at which the host ends the sandbox; undefined when nothing was started. */
  readonly exitCode?: number;
  readonly signal?: string;
  /** Why it is unknown whether the handler has finished: its worker was lost. `output` is a failure then. */
  readonly lost?: string;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** Whether `stdout` or `stderr` were cut. */
  readonly truncated: boolean;
  /** Whether it ended for want of memory, as far as that can be seen. */
  readonly oom: boolean;
  /** Logs: the handler's own streams. They carry no protocol. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  /** As far as it was measured. */
  readonly peakMemoryBytes?: number;
  /** Of all its processes. */
  readonly cpuMs?: number;
  readonly enforcement: Enforcement;
}

/** What was observed of a call, before its receipt says how it was enforced. */
export type CallFacts = Omit<SandboxResult, 'enforcement'>;
