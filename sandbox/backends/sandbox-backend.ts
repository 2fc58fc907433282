// The port that every sandbox is behind, whatever enforces it.
import type {Enforcement, Invocation, SecurityProfile, ToolOutput, WireMessage} from '@lumenflow/schemas';
import type {CompiledProfile} from '../profile/profile-input.ts';
import type {WarmPoolCounters} from './warm-pool-counters.ts';
import type {SandboxProblem} from './sandbox-problem.ts';
import type {WriteHolder} from './write-holder.ts';

export type {SandboxProblem} from './sandbox-problem.ts';

export type BackendName =
  | 'unsafe-host'
  | 'bubblewrap'
  | 'seatbelt'
  | 'docker'
  | 'podman'
  | 'containerd'
  | 'gvisor'
  | 'kata'
  | 'firecracker'
  | 'kubernetes'
  | 'wasm'
  | 'remote'
  | 'temporal'
  | 'proxmox-lxc';

export type Tier = Enforcement['tier'];

/** What a backend can promise, and how well it keeps it on this machine. */
export type Guarantee =
  | 'filesystem'
  | 'trusted_files'
  | 'network_off'
  | 'network_allowlist'
  | 'network_full'
  | 'processes'
  | 'environment'
  | 'system_calls'
  /** System calls are answered by another kernel than the host's. */
  | 'kernel'
  | 'wall_time'
  | 'cpu_time'
  | 'memory'
  | 'process_count'
  | 'open_files'
  | 'file_size'
  | 'output';

export type Strength = 'enforced' | 'best_effort' | 'unsupported';

export interface ProbeOptions {
  /** Without the trial of a network, whose guarantees are then `unsupported`; a second time it costs nothing. */
  readonly isQuick?: boolean;
}

export type ProbeReport =
  | {
      readonly available: true;
      readonly backend: BackendName;
      readonly tier: Tier;
      readonly version: string;
      readonly guarantees: Readonly<Record<Guarantee, Strength>>;
      /** What another installation would hold better. */
      readonly gaps: readonly SandboxProblem[];
    }
  | {readonly available: false; readonly backend: BackendName; readonly problem: SandboxProblem};

export interface SandboxRequest {
  readonly profile: CompiledProfile;
  readonly invocation: Invocation;
  /** From the start of the process to its end. */
  readonly wallMs: number;
  /** What the backend must be able to give; default: `standard`, or `dev` where that backend was named. */
  readonly securityProfile?: SecurityProfile;
  readonly signal?: AbortSignal;
  /** What the handler sends but for its result; `reply` answers a request. After the call `reply` does nothing. */
  readonly onMessage?: (message: WireMessage, reply: (answer: WireMessage) => void) => void;
  readonly onPid?: (pid: number) => void;
  /** Holds back what the call writes; a backend that cannot start a call in its view refuses it. */
  readonly transaction?: WriteHolder;
  /** Lets a sandbox serve the call that was started before it; without it the start is cold. */
  readonly warm?: WarmRequest;
}

export interface WarmRequest {
  /** Names the very bytes of the pack: a spare of another version never serves the call. */
  readonly packHash: string;
  /** Of the task whose calls may share a sandbox, and with it what earlier ones left inside. */
  readonly reuseForTask?: string;
}

export interface SandboxResult {
  /**
   * The handler's output, or a failure of this call: SANDBOX_UNAVAILABLE, TOOL_TIMEOUT, TOOL_CANCELLED,
   * LIMIT_EXCEEDED with the `limit` in its details, TOOL_CRASHED.
   */
  readonly output: ToolOutput;
  /** As a shell gives it, 0 after a result, at which the host ends the sandbox; undefined when nothing was started. */
  readonly exitCode?: number;
  readonly signal?: string;
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

export interface SandboxBackend {
  readonly name: BackendName;
  /** Whether it starts a call with a transaction in the transaction's view. */
  readonly holdsWrites?: true;
  /** What this machine lets the backend do, found out by trying. */
  probe(options?: ProbeOptions): Promise<ProbeReport>;
  /** Never rejects for what a handler does, nor for what the machine lacks: those are outputs. */
  execute(request: SandboxRequest): Promise<SandboxResult>;
  /** Undefined where no spares are kept. */
  warmPool?(): WarmPoolCounters;
  /** Ends the calls that are running, and all spares. */
  close(): Promise<void>;
}
