// A backend whose mechanism is in a separate package, because it needs a client library. The package is loaded at first use.
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {RunnerProgram} from './runner-program.ts';
import type {Capabilities, SandboxBackend} from './sandbox-backend.ts';

/** What such a package is given, beside the options of the workspace. */
export interface IntegrationParts {
  readonly runner: RunnerProgram;
  /** The agent in containers, built. */
  readonly agentPath: string;
}

type Mechanism = Pick<SandboxBackend, 'probe' | 'start' | 'reap' | 'close'>;

export interface Integration {
  readonly name: string;
  readonly packageName: string;
  readonly capabilities: Capabilities;
  readonly parts: IntegrationParts;
  /** Undefined: the workspace says nothing about the backend. */
  readonly options: object | undefined;
  /** Directory where the package is looked for first. */
  readonly packageRoot: string | undefined;
}

export function createIntegratedBackend(integration: Integration): SandboxBackend {
  const {name, capabilities, options} = integration;
  let loading: Promise<Outcome<Mechanism>> | undefined;
  const load = async (): Promise<Outcome<Mechanism>> => await (loading ??= loadMechanism(integration));
  return {
    name,
    capabilities,
    async probe() {
      const loaded = await load();
      return loaded.ok ? await loaded.value.probe() : {available: false, backend: name, problem: loaded.problem};
    },
    async start(request) {
      const loaded = await load();
      return loaded.ok ? await loaded.value.start(request) : loaded;
    },
    async reap() {
      const loaded = options === undefined ? undefined : await load();
      if (loaded?.ok === true) await loaded.value.reap();
    },
    async close() {
      const loaded = await loading;
      if (loaded?.ok === true) await loaded.value.close();
    },
  };
}

async function loadMechanism(integration: Integration): Promise<Outcome<Mechanism>> {
  const {packageName, name, packageRoot, parts, options} = integration;
  if (options === undefined) return failed(noOptions(name));
  const file = findPackage(packageName, packageRoot);
  if (file === undefined) return failed(notInstalled(name, packageName));
  const {createBackend} = (await import(pathToFileURL(file).href)) as {
    createBackend(parts: IntegrationParts, options: object): Mechanism;
  };
  return ok(createBackend(parts, options));
}

/** As Node finds it from the workspace, otherwise from here. */
function findPackage(name: string, root: string | undefined): string | undefined {
  for (const from of [...(root === undefined ? [] : [join(root, 'package.json')]), import.meta.url]) {
    try {
      return createRequire(from).resolve(name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return undefined;
}

function notInstalled(name: string, packageName: string): SandboxProblem {
  return {
    message: `the backend \`${name}\` needs the package \`${packageName}\`, which is not installed`,
    help: `run \`npm install ${packageName}\` in the workspace`,
  };
}

function noOptions(name: string): SandboxProblem {
  return {
    message: `the backend \`${name}\` is not configured`,
    help: `set \`security.sandbox.backends.${name}\` in workspace.yaml`,
  };
}
