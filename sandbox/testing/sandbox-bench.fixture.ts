// A workspace, a bundle and a sandbox in a separate folder, for tests against the real backend.
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {build} from 'esbuild';
import type {GrantedScopes, Invocation, ResourceLimits, SandboxBackendName} from '@lumenflow/schemas';
import type {SandboxRequest, SandboxResult} from '../backends/sandbox-call.ts';
import {createSandbox, type Sandbox} from '../create-sandbox.ts';
import type {NewBackend, SandboxOptions} from '../sandbox-options.ts';
import {compileProfile} from '../profile/compile-profile.ts';
import type {ResolveHost} from '../network/resolve-target.ts';
import {createHostFiles} from '../profile/host-files.ts';
import type {CompiledProfile, ProfileInput} from '../profile/profile-input.ts';
import type {WarmPoolLimits} from '../warm-pool/stock.ts';
import {globMatcher} from './glob-matcher.fixture.ts';
import {valueOf} from './value-of.fixture.ts';

export interface Call {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly network?: GrantedScopes['network']['posture'];
  /** Entries of an allowlist. */
  readonly allow?: readonly string[];
  readonly denyOverlays?: readonly string[];
  readonly limits?: ResourceLimits;
  readonly input?: unknown;
  readonly wallMs?: number;
  readonly home?: string;
  /** What the tool's `required_env` brings. */
  readonly env?: Readonly<Record<string, string>>;
  readonly request?: Partial<SandboxRequest>;
}

export interface Bench {
  readonly workspace: string;
  readonly folder: string;
  readonly sandbox: Sandbox;
  put(path: string, content?: string): string;
  profile(call: Call): Promise<CompiledProfile>;
  /** Returns the entry of a handler `async (input, context) => { … }` of this body; `top` precedes it in its module. */
  handler(body: string, top?: string): string;
  run(entry: string, call?: Call): Promise<SandboxResult>;
  /** Both: runs a handler of this body. */
  call(body: string, call?: Call): Promise<SandboxResult>;
  remove(): Promise<void>;
}

export interface BenchOptions extends Pick<SandboxOptions, 'secret' | 'workerKey'> {
  readonly backend?: SandboxBackendName | NewBackend;
  readonly nodePath?: string;
  /** Where bwrap is looked for. */
  readonly searchPath?: string;
  readonly resolveHost?: ResolveHost;
  readonly warm?: WarmPoolLimits;
}

export async function createBench(options: BenchOptions = {}): Promise<Bench> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-sandbox-')));
  const workspace = join(folder, 'workspace');
  const bundles = join(folder, 'bundles');
  mkdirSync(workspace);
  mkdirSync(bundles);
  const sandbox = await createSandboxIn(folder, options);
  let count = 0;

  function put(path: string, content = ''): string {
    const file = join(workspace, path);
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, content);
    return file;
  }

  async function profile(call: Call): Promise<CompiledProfile> {
    const compiled = valueOf(await compileProfile(profileInput(call, {workspace, sandbox, bundles})));
    return compiled;
  }

  function handler(body: string, top = ''): string {
    count += 1;
    const module = join(bundles, `handler-${count}.mjs`);
    writeFileSync(module, `import fs from 'node:fs';\n${top}\nexport async function run(input, context) {${body}\n}\n`);
    return `${module}#run`;
  }

  async function run(entry: string, call: Call = {}): Promise<SandboxResult> {
    const compiled = await profile(call);
    const invocation = invocationOf(call, workspace, entry);
    return sandbox.execute({profile: compiled, invocation, wallMs: call.wallMs ?? 20_000, ...call.request});
  }

  return {
    workspace,
    folder,
    sandbox,
    put,
    profile,
    handler,
    run,
    call: (body, call) => run(handler(body), call),
    async remove() {
      await sandbox.close();
      rmSync(folder, {recursive: true, force: true});
    },
  };
}

/** With a runner and a holder of networks bundled into the folder. */
async function createSandboxIn(
  folder: string,
  {backend, nodePath, searchPath, ...rest}: BenchOptions,
): Promise<Sandbox> {
  const runnerPath = join(folder, 'runner.cjs');
  const networkHolderPath = join(folder, 'network-holder.cjs');
  await bundleRunner(runnerPath);
  await bundleNetworkHolder(networkHolderPath);
  const wasmThreadPath = join(folder, 'wasm-thread.cjs');
  if (backend === 'wasm') await bundleWasmThread(wasmThreadPath);
  const vmAgentPath = join(folder, 'vm-agent.cjs');
  if (backend === 'vm' || backend === 'firecracker') await bundleVmAgent(vmAgentPath);
  return createSandbox({
    backend: backend ?? 'bubblewrap',
    searchPath: searchPath ?? '/usr/bin:/bin',
    nodePath: nodePath ?? process.execPath,
    runnerPath,
    networkHolderPath,
    wasmThreadPath,
    vmAgentPath,
    ...rest,
  });
}

export async function bundleRunner(outfile: string): Promise<void> {
  await bundle('../runner/main.ts', outfile);
}

export async function bundleNetworkHolder(outfile: string): Promise<void> {
  await bundle('../network/holder/main.ts', outfile);
}

export async function bundleWasmThread(outfile: string): Promise<void> {
  await bundle('../wasm/thread/main.ts', outfile);
}

export async function bundleVmAgent(outfile: string): Promise<void> {
  await bundle('../vm/guest/main.ts', outfile);
}

async function bundle(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [new URL(entry, import.meta.url).pathname],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    conditions: ['@lumenflow/source'],
    logLevel: 'warning',
  });
}

interface BenchPaths {
  readonly workspace: string;
  readonly sandbox: Sandbox;
  readonly bundles: string;
}

function profileInput(call: Call, {workspace, sandbox, bundles}: BenchPaths): ProfileInput {
  return {
    workspaceRoot: workspace,
    grant: grantOf(call),
    denyOverlays: call.denyOverlays ?? [],
    home: call.home ?? '/nonexistent',
    runtimePaths: [...sandbox.runtimePaths, bundles],
    limits: call.limits ?? {},
    env: sandbox.baseEnv,
    compilePattern: globMatcher,
    files: createHostFiles(),
  };
}

function grantOf({
  read = [],
  write = [],
  allow = [],
  network = allow.length > 0 ? 'allowlist' : 'off',
}: Call): GrantedScopes {
  return {read: [...read], write: [...write], network: {posture: network, allowlist_entries: [...allow]}};
}

function invocationOf(call: Call, workspace: string, entry: string): Invocation {
  return {
    protocol: 1,
    tool_name: 'bench:run',
    handler_entry: entry,
    input: call.input ?? {},
    scope_enforced: grantOf(call),
    receipt_id: 'rcp-1',
    task_id: 'task-1',
    run_id: 'run-1',
    session_id: 'session-1',
    lane_id: 'lane-1',
    workspace_root: workspace,
    config: {},
    env: call.env ?? {},
  };
}
