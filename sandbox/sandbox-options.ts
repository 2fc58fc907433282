// What a sandbox is created with.
import type {SandboxBackendName} from '@lumenflow/schemas';
import type {RunnerProgram} from './backends/runner-program.ts';
import type {SandboxBackend} from './backends/sandbox-backend.ts';
import type {CommandExecutor} from './commands/command-executor.ts';
import type {ResolveHost} from './network/resolve-target.ts';
import type {Outcome} from './outcome.ts';
import type {SigningKey} from './signatures/signing-key.ts';
import type {WarmPoolLimits} from './warm-pool/stock.ts';

/** Makes a backend that is not part of this package. `runner`: what it starts. */
export type NewBackend = (runner: RunnerProgram) => SandboxBackend;

export interface SandboxOptions {
  /** For every call, regardless of its request: a name, or your own. Default: what the call requests, else the platform's default. */
  readonly backend?: SandboxBackendName | NewBackend;
  /** Default: that of this machine. */
  readonly platform?: NodeJS.Platform;
  /** Where programs such as bwrap are searched for, in the form of PATH. */
  readonly searchPath: string;
  /** Default: the Node that runs the host. */
  readonly nodePath?: string;
  /** Default: the runner of this package, built. */
  readonly runnerPath?: string;
  /** Default: the holder of network namespaces of this package, built. */
  readonly networkHolderPath?: string;
  /** Default: the program of threads for WebAssembly modules of this package, built. */
  readonly wasmThreadPath?: string;
  /** Default: the agent in virtual machines of this package, built. */
  readonly vmAgentPath?: string;
  /** Default: the agent in containers of clusters of this package, built. */
  readonly containerAgentPath?: string;
  /** Where packages of backends are looked for first, and what paths in their options are relative to; default: this package, this process. */
  readonly workspaceRoot?: string | undefined;
  /** Every call waits for a debugger at this port of 127.0.0.1. For `backend: 'unsafe-host'` only. */
  readonly inspectPort?: number | undefined;
  /** How listed host names are looked up; default: as this machine does. */
  readonly resolveHost?: ResolveHost;
  /** Default: plain child processes. */
  readonly executor?: CommandExecutor;
  /** Whether a container engine is given the runner image that it lacks; default true. Without it, its backend is unavailable. */
  readonly loadsImages?: boolean;
  /** The key that signs requests to workers; called when the first one is needed. Default: there is none. */
  readonly workerKey?: () => Promise<Outcome<SigningKey>>;
  /** The value of a variable of the host's environment that contains a secret; default: there are none. */
  readonly secret?: (variable: string) => string | undefined;
  /** Keeps sandboxes started for later calls, if the backend can; default: every start is cold. */
  readonly warm?: WarmPoolLimits;
}
