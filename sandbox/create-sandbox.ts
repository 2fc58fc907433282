// Chooses the backend. What was asked for and cannot be had is refused, never replaced by something weaker.
import {existsSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {createMissingBackend} from './backends/create-missing-backend.ts';
import {runnerProgram} from './backends/runner-program.ts';
import type {BackendName, SandboxBackend, SandboxProblem} from './backends/sandbox-backend.ts';
import {createBubblewrapBackend} from './bubblewrap/create-bubblewrap-backend.ts';
import type {CommandExecutor} from './commands/command-executor.ts';
import {createSpawnExecutor} from './commands/create-spawn-executor.ts';
import {createSandboxNetwork} from './network/create-sandbox-network.ts';
import {resolveByHost, type ResolveHost} from './network/resolve-target.ts';
import {baseEnv} from './profile/base-env.ts';
import {createHostFiles} from './profile/host-files.ts';
import {createUnsafeHostBackend} from './unsafe-host/create-unsafe-host-backend.ts';

export interface SandboxOptions {
  /** Default: the platform's own. `unsafe-host` must be named. */
  readonly backend?: BackendName;
  /** Where programs such as bwrap are looked for, written as PATH is. */
  readonly searchPath: string;
  /** Default: the Node that runs the host. */
  readonly nodePath?: string;
  /** Default: the runner of this package, built. */
  readonly runnerPath?: string;
  /** Default: the holder of network namespaces of this package, built. */
  readonly networkHolderPath?: string;
  /** How listed host names are looked up; default: as this machine does. */
  readonly resolveHost?: ResolveHost;
  /** Default: plain child processes. */
  readonly executor?: CommandExecutor;
}

export interface Sandbox extends SandboxBackend {
  /** For `ProfileInput.runtimePaths`: what the runner itself needs. Add the pack's bundle. */
  readonly runtimePaths: readonly string[];
  /** For `ProfileInput.env`: what every sandbox starts with. */
  readonly baseEnv: Readonly<Record<string, string>>;
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const name = options.backend ?? (process.platform === 'darwin' ? 'seatbelt' : 'bubblewrap');
  const nodePath = options.nodePath ?? process.execPath;
  const runnerPath = options.runnerPath ?? fileURLToPath(import.meta.resolve('@lumenflow/sandbox/runner'));
  if (!existsSync(runnerPath)) {
    const problem = {message: `the sandbox's runner \`${runnerPath}\` is not built`, help: 'run `npm run build`'};
    return {...createMissingBackend(name, problem), runtimePaths: [], baseEnv: {}};
  }
  const runner = runnerProgram({nodePath, runnerPath});
  const common = {runner, files: createHostFiles()};
  const executor = options.executor ?? createSpawnExecutor();
  const network = createSandboxNetwork({
    nodePath: runner.nodePath,
    holderPath: options.networkHolderPath ?? fileURLToPath(import.meta.resolve('@lumenflow/sandbox/network-holder')),
    resolveHost: options.resolveHost ?? resolveByHost,
  });
  const backend =
    name === 'bubblewrap'
      ? createBubblewrapBackend({...common, executor, network, searchPath: options.searchPath})
      : name === 'unsafe-host'
        ? createUnsafeHostBackend(common)
        : createMissingBackend(name, notBuiltIn(name));
  return {...backend, runtimePaths: runner.runtimePaths, baseEnv: baseEnv({nodePath: runner.nodePath})};
}

function notBuiltIn(name: BackendName): SandboxProblem {
  return {message: `the backend \`${name}\` is not part of this version`, help: 'use `bubblewrap` on Linux'};
}
