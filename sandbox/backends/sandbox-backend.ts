// The port that every sandbox is behind: the mechanism alone. What a call goes through besides, from the requirement of its
// required tier to its receipt, is written once, in `execution/`.
import type {Duplex, Readable} from 'node:stream';
import type {Enforcement} from '@lumenflow/schemas';
import type {Meter} from '../limits/meter.ts';
import type {Outcome} from '../outcome.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import type {NetworkAttachment, NetworkHome} from './network-attachment.ts';
import type {Guarantee, ProbeReport} from './probe-report.ts';
import type {RunnerProgram} from './runner-program.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {ViewEntry, ViewWay} from './transaction-view.ts';

export interface SandboxBackend {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** What the backend can do on this machine, as tried. The result is cached. */
  probe(): Promise<ProbeReport>;
  /**
   * What the results of trials depend on, for those that later hosts of this user need not repeat. Undefined: each host makes its own.
   */
  trialKey?(): Promise<readonly string[] | undefined>;
  /** Starts a program inside. Never rejects when the machine lacks something: it returns a problem and leaves nothing behind. */
  start(request: StartRequest): Promise<Outcome<StartedRunner>>;
  /** For a backend whose calls cannot be started in a namespace of the host: opens one for a call, with nothing in it. */
  openHome?(): Promise<Outcome<NetworkHome>>;
  /** Removes what killed hosts left on this machine, and nothing of a live host. Never rejects. */
  reap(): Promise<void>;
  /** Resolves once everything that was started has ended. */
  close(): Promise<void>;
}

export type HandlerCode = 'javascript' | 'wasm';

/** What a backend can do, as data. The probe finds out how well. */
export interface Capabilities {
  /** What handlers are written in; default JavaScript. */
  readonly runs?: HandlerCode;
  /** Whether a runner can be started before its call comes. */
  readonly spares: boolean;
  /** Whether a call can be started in the view that a transaction has opened. */
  readonly views: boolean;
  /** How it starts a call in such a view; default `entered`. */
  readonly viewWay?: ViewWay;
  /** Whether a call can write to the workspace itself, outside of a view; default true. */
  readonly writesDirectly?: boolean;
  /** How a call is given a network that is not off; undefined: the backend has no say in it. */
  readonly network: NetworkAttachment['kind'] | undefined;
  /** Whether the escapes of the self-test apply to it: they assume Linux. */
  readonly selfTest: boolean;
  /** Whether its processes are in the host's user namespace, or in one that several calls share; default false. */
  readonly sharesUsers?: boolean;
  /** Whether `kill` ends every process at once, so that none continues to act while its end is awaited. */
  readonly killsAtOnce: boolean;
  /** Whether what a call printed can arrive after its result, because it takes another way; default false. */
  readonly printsLate?: boolean;
  /** Guarantees that it supports on no machine. A workspace that requires one of them is not loaded. */
  readonly lacks: readonly Guarantee[];
}

export function runsJavaScript({capabilities}: Pick<SandboxBackend, 'capabilities'>): boolean {
  return (capabilities.runs ?? 'javascript') === 'javascript';
}

/** `runner` has a wire; `command`, for trials, has none. */
export type Program =
  | {
      readonly kind: 'runner';
      readonly runner: RunnerProgram;
      /** Of a spare. */
      readonly waiting?: {readonly handlerEntry: string | undefined};
    }
  | {readonly kind: 'command'; readonly argv: readonly string[]};

export interface StartRequest {
  /** Its limits, environment and mounts apply to the program, which starts in the profile's workspace. */
  readonly profile: CompiledProfile;
  readonly program: Program;
  /** Open for as long as the program runs; undefined: no network, even if the profile has one. */
  readonly network?: NetworkAttachment | undefined;
  /** In place of the workspace. */
  readonly view?: ViewEntry | undefined;
}

export interface StartedRunner {
  /** Undefined if it is not a process of this machine, or did not start. */
  readonly pid: number | undefined;
  readonly wire: Duplex | undefined;
  readonly stdout: Readable | undefined;
  readonly stderr: Readable | undefined;
  /** Resolves once nothing of it is left. Never rejects. */
  readonly ended: Promise<RunnerEnd>;
  /** Undefined where usage cannot be measured. */
  readonly meter: Meter | undefined;
  /** The parts of the request that are not fully enforced, for the receipt. */
  readonly degraded: readonly string[];
  /** Ends all its processes. Does nothing once it has ended. */
  kill(): void;
  /** Whether this process stays alive for it; true at first. */
  keepAlive(on: boolean): void;
  /**
   * Why the sandbox could not be set up, when that is what ended the program without a word over its wire. The call is started once
   * more then.
   */
  setUpProblem(end: {readonly exitCode?: number; readonly stderr: string}): SandboxProblem | undefined;
  /** What a worker has reported of the call for its receipt, once there is a result. */
  observed?(): WorkerObservation;
}

export type WorkerObservation = Partial<Pick<Enforcement, 'attestation' | 'denials' | 'connections'>>;

export interface RunnerEnd {
  readonly exitCode: number;
  readonly signal?: string;
  /** Why it did not start. */
  readonly startError?: string;
  /** Why it is unknown how it ended, or whether it has. */
  readonly lost?: string;
}
