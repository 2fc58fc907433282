// The parts of this installation that backends and executors are made of.
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {SandboxBackendName} from '@lumenflow/schemas';
import {backendTable, type BackendParts} from './backend-table.ts';
import {createUnavailableBackend} from './backends/create-unavailable-backend.ts';
import {runnerProgram, type RunnerProgram} from './backends/runner-program.ts';
import type {SandboxBackend} from './backends/sandbox-backend.ts';
import {createSpawnExecutor} from './commands/create-spawn-executor.ts';
import type {SandboxOptions} from './sandbox-options.ts';
import {createSandboxNetwork, type SandboxNetwork} from './network/create-sandbox-network.ts';
import {failed} from './outcome.ts';
import {resolveByHost} from './network/resolve-target.ts';
import {createHostFiles} from './profile/host-files.ts';
import type {SandboxProblem} from './sandbox-problem.ts';

export interface ExecutorParts extends Omit<BackendParts, 'options'> {
  readonly network: SandboxNetwork;
  /** Why nothing can be run. */
  readonly problem: SandboxProblem | undefined;
}

export function executorParts(options: SandboxOptions): ExecutorParts {
  const runnerPath = options.runnerPath ?? fileURLToPath(import.meta.resolve('@lumenflow/sandbox/runner'));
  const isBuilt = existsSync(runnerPath);
  const nodePath = options.nodePath ?? process.execPath;
  const runner = isBuilt ? runnerProgram({nodePath, runnerPath, inspectPort: options.inspectPort}) : noRunner;
  return {
    runner,
    problem: isBuilt ? undefined : notBuilt(runnerPath),
    searchPath: options.searchPath,
    wasmThreadPath: options.wasmThreadPath ?? join(dirname(runnerPath), 'wasm-thread.cjs'),
    loadsImages: options.loadsImages ?? true,
    vmAgentPath: options.vmAgentPath ?? join(dirname(runnerPath), 'vm-agent.cjs'),
    containerAgentPath: options.containerAgentPath ?? join(dirname(runnerPath), 'container-agent.cjs'),
    workspaceRoot: options.workspaceRoot,
    workerKey: options.workerKey ?? (async () => failed(noWorkerKey)),
    secret: options.secret ?? (() => undefined),
    files: createHostFiles(),
    executor: options.executor ?? createSpawnExecutor(),
    network: createSandboxNetwork({
      nodePath: runner.nodePath,
      holderPath: options.networkHolderPath ?? fileURLToPath(import.meta.resolve('@lumenflow/sandbox/network-holder')),
      resolveHost: options.resolveHost ?? resolveByHost,
    }),
  };
}

function notBuilt(runnerPath: string): SandboxProblem {
  return {message: `the sandbox's runner \`${runnerPath}\` is not built`, help: 'run `npm run build`'};
}

const noWorkerKey: SandboxProblem = {
  message: 'this program has no key for workers',
  help: 'give `workerKey` when it creates the sandbox',
};

const noRunner: RunnerProgram = {nodePath: '', runnerPath: '', runtimePaths: [], argv: () => []};

/** A program that embeds this package can pass names that the types do not allow. */
export function backendOf(name: string, parts: ExecutorParts & BackendParts): SandboxBackend {
  if (parts.problem !== undefined) return createUnavailableBackend(name, parts.problem);
  return isKnown(name) ? backendTable[name](parts) : createUnavailableBackend(name, notABackend(name));
}

function isKnown(name: string): name is SandboxBackendName {
  return Object.hasOwn(backendTable, name);
}

function notABackend(name: string): SandboxProblem {
  return {
    message: `\`${name}\` is not a backend`,
    help: `use one of ${Object.keys(backendTable).join(', ')}`,
  };
}
