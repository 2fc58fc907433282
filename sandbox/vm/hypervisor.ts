// What starts the machine of a call. The rest of a call, from its files to its wire, is the same for all hypervisors.
import type {Duplex} from 'node:stream';
import type {HostSystem} from '../bubblewrap/host-system.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import type {ProcessEnd, SpawnedProcess} from '../commands/spawn-process.ts';
import type {Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {GuestSystem} from './guest-system/build-guest-system.ts';
import type {GuestKernel} from './guest-system/find-kernel.ts';

export type VmBackendName = 'vm' | 'firecracker';

/** `security.sandbox.backends.vm` and `.firecracker`: each schema lists what its backend reads. */
export interface VmOptions {
  readonly program?: string;
  readonly jailer?: string;
  readonly packages?: readonly string[];
}

export interface HypervisorKind {
  readonly backend: VmBackendName;
  /** See `ProbeReport`. */
  readonly testedWithStandIn: boolean;
  /** Whether a machine can have the network of a namespace. */
  readonly hasNetworks: boolean;
  /** Of Debian: what it needs besides the guest's. */
  readonly packages: string;
  /** Finds its programs on this machine. */
  find(input: HypervisorInput): Promise<Outcome<Hypervisor>>;
  /** Ends machines of killed hosts. Never rejects. */
  reap(): Promise<void>;
}

export interface HypervisorInput {
  readonly options: VmOptions;
  readonly kernel: GuestKernel;
  readonly executor: CommandExecutor;
  readonly bubblewrap: HostSystem;
  readonly filter: Uint8Array;
}

export interface Hypervisor {
  readonly backend: VmBackendName;
  /** For reports: the program, its version, and how it executes a guest. */
  readonly version: string;
  readonly gaps: readonly SandboxProblem[];
  /** Absolute paths of what takes part in each start. */
  readonly files: readonly string[];
  /** Never rejects. The problem is what the hypervisor reported. */
  launch(boot: MachineBoot): Promise<Outcome<Machine, string>>;
}

export interface MachineBoot {
  readonly system: GuestSystem;
  readonly memoryBytes: number;
  readonly processors: number;
  /** Prefix of a command that starts it in the network namespace of the call; default: no network. */
  readonly enterNetwork?: readonly string[] | undefined;
}

/** A machine that continues from one that had booted and was saved. */
export interface RestoredMachine {
  /** What it was restored from does not work: the next machine boots. */
  discard(): void;
}

export interface Machine extends Pick<SpawnedProcess, 'pid' | 'kill' | 'keepAlive'> {
  /** The stream to the agent; undefined if the machine ended before there was one. */
  readonly port: Promise<Duplex | undefined>;
  readonly ended: Promise<ProcessEnd>;
  readonly restored?: RestoredMachine | undefined;
  /** The last that the guest's kernel and the hypervisor printed. */
  console(): string;
  errors(): string;
}
