// Chooses the backend. What was asked for and cannot be had is refused, never replaced by something weaker.
import {existsSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {fileURLToPath} from 'node:url';
import {createMissingBackend} from './backends/create-missing-backend.ts';
import {runnerProgram} from './backends/runner-program.ts';
import {refuseCall} from './backends/refuse-call.ts';
import {refusal} from './backends/security-profile.ts';
import type {BackendName, SandboxBackend, SandboxProblem} from './backends/sandbox-backend.ts';
import {createBubblewrapBackend} from './bubblewrap/create-bubblewrap-backend.ts';
import type {CommandExecutor} from './commands/command-executor.ts';
import {createSpawnExecutor} from './commands/create-spawn-executor.ts';
import {createSandboxNetwork} from './network/create-sandbox-network.ts';
import {resolveByHost, type ResolveHost} from './network/resolve-target.ts';
import {baseEnv} from './profile/base-env.ts';
import {createHostFiles} from './profile/host-files.ts';
import {createSeatbeltBackend} from './seatbelt/create-seatbelt-backend.ts';
import type {WarmPoolLimits} from './warm-pool/stock.ts';
import {createUnsafeHostBackend} from './unsafe-host/create-unsafe-host-backend.ts';

export interface SandboxOptions {
  /** Default: the platform's own. `unsafe-host` must be named. */
  readonly backend?: BackendName;
  /** Default: that of this machine. */
  readonly platform?: NodeJS.Platform;
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
  /** Keeps sandboxes started for calls to come, where the backend can; default: every start is cold. */
  readonly warm?: WarmPoolLimits;
}

export interface Sandbox extends SandboxBackend {
  /** For `ProfileInput.runtimePaths`: what the runner itself needs. Add the pack's bundle. */
  readonly runtimePaths: readonly string[];
  /** For `ProfileInput.env`: what every sandbox starts with. */
  readonly baseEnv: Readonly<Record<string, string>>;
}

/** Nowhere else: whoever could put another program on a search path would be the sandbox. */
const sandboxExec = '/usr/bin/sandbox-exec';

export function createSandbox(options: SandboxOptions): Sandbox {
  const name = options.backend ?? ((options.platform ?? process.platform) === 'darwin' ? 'seatbelt' : 'bubblewrap');
  const nodePath = options.nodePath ?? process.execPath;
  const runnerPath = options.runnerPath ?? fileURLToPath(import.meta.resolve('@lumenflow/sandbox/runner'));
  if (!existsSync(runnerPath)) {
    const problem = {message: `the sandbox's runner \`${runnerPath}\` is not built`, help: 'run `npm run build`'};
    return {...createMissingBackend(name, problem), runtimePaths: [], baseEnv: {}};
  }
  const runner = runnerProgram({nodePath, runnerPath});
  const common = {runner, files: createHostFiles()};
  const executor = options.executor ?? createSpawnExecutor();
  const resolveHost = options.resolveHost ?? resolveByHost;
  const network = createSandboxNetwork({
    nodePath: runner.nodePath,
    holderPath: options.networkHolderPath ?? fileURLToPath(import.meta.resolve('@lumenflow/sandbox/network-holder')),
    resolveHost,
  });
  const unsafeHost = createUnsafeHostBackend(common);
  const known: Partial<Record<BackendName, () => SandboxBackend>> = {
    bubblewrap: () =>
      createBubblewrapBackend({
        ...common,
        executor,
        network,
        searchPath: options.searchPath,
        ...(options.warm === undefined ? {} : {warm: options.warm}),
      }),
    seatbelt: () =>
      createSeatbeltBackend({...common, executor, resolveHost, temporaryRoot: tmpdir(), programPath: sandboxExec}),
    'unsafe-host': () => unsafeHost,
  };
  const backend = known[name]?.() ?? createMissingBackend(name, notBuiltIn(name));
  return {
    ...governed(withoutPretence(backend), withoutPretence(unsafeHost), options.backend),
    runtimePaths: runner.runtimePaths,
    baseEnv: baseEnv({nodePath: runner.nodePath}),
  };
}

/** A backend that would let a call write directly refuses one whose writes are to be held back. */
function withoutPretence(backend: SandboxBackend): SandboxBackend {
  if (backend.holdsWrites) return backend;
  const problem = {
    message: `the backend \`${backend.name}\` cannot hold back what a call writes`,
    help: 'use `bubblewrap`, or let the tool and the lane write directly',
  };
  return {
    ...backend,
    execute: async (request) =>
      request.transaction === undefined ? await backend.execute(request) : refuseCall(backend.name, request, problem),
  };
}

/** Refuses a call whose security profile the backend does not meet. Only `dev`, where no backend was named, has none. */
function governed(backend: SandboxBackend, unsafeHost: SandboxBackend, named: BackendName | undefined): SandboxBackend {
  const usual = named === 'unsafe-host' ? 'dev' : 'standard';
  return {
    ...backend,
    async execute(request) {
      const {securityProfile = usual} = request;
      if (securityProfile === 'dev' && named === undefined) return await unsafeHost.execute(request);
      const report = await backend.probe({isQuick: true});
      const problem = report.available ? refusal(securityProfile, report) : undefined;
      return problem === undefined ? await backend.execute(request) : refuseCall(backend.name, request, problem);
    },
    async close() {
      await Promise.all([backend.close(), unsafeHost.close()]);
    },
  };
}

function notBuiltIn(name: BackendName): SandboxProblem {
  return {
    message: `the backend \`${name}\` is not part of this version`,
    help: 'use `bubblewrap` on Linux, `seatbelt` on macOS',
  };
}
