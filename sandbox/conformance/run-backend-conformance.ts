// One suite for all sandbox backends. Skipped cases are named with their reason; a name that no case has fails the suite.
import {mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {GrantedScopes} from '@lumenflow/schemas';
import {runnerProgram, type RunnerProgram} from '../backends/runner-program.ts';
import type {SandboxBackend} from '../backends/sandbox-backend.ts';
import type {SandboxRequest, SandboxResult} from '../backends/sandbox-call.ts';
import {createCallExecutor} from '../execution/create-call-executor.ts';
import {createSandboxNetwork} from '../network/create-sandbox-network.ts';
import {baseEnv} from '../profile/base-env.ts';
import {compileProfile} from '../profile/compile-profile.ts';
import {createHostFiles} from '../profile/host-files.ts';
import type {PatternCompiler} from '../profile/profile-input.ts';
import {createTransactions} from '../transaction/create-transactions.ts';
import {SandboxError} from '../sandbox-error.ts';
import type {BackendCase, CaseCall, CaseStage} from './backend-case.ts';
import {confinementCases} from './confinement-cases.ts';
import {hostCases} from './host-cases.ts';
import {outcomeCases} from './outcome-cases.ts';
import {streamCases} from './stream-cases.ts';

export interface SkippedCases {
  /** For people: why these cases do not apply to the backend here. */
  readonly reason: string;
  /** Names of cases. */
  readonly cases: readonly string[];
}

export interface ConformanceOptions {
  /** A backend as a host has it. `runner`: what it starts. */
  newBackend(runner: RunnerProgram): SandboxBackend | Promise<SandboxBackend>;
  readonly skip?: readonly SkippedCases[];
  /** Registers a case, such as `test` of vitest. */
  register(name: string, run: () => Promise<void>): void;
  /** Registers a skipped case, with its reason. */
  registerSkipped(name: string, reason: string): void;
  readonly compilePattern: PatternCompiler;
  /** For a backend that does not run JavaScript: writes a handler that does what the body does, and returns its entry. */
  writeHandler?(body: string, folder: string): string;
  /** Default: the built runner and holder of networks of this package. */
  readonly runnerPath?: string;
  readonly networkHolderPath?: string;
  /** What a cold start takes on a busy machine: each case gets as much more time; default 0. */
  readonly startMs?: number;
  /** What else a runner must read. */
  readonly runtimePaths?: readonly string[];
}

export const backendCases: readonly BackendCase[] = [
  ...outcomeCases,
  ...streamCases,
  ...confinementCases,
  ...hostCases,
];

/** Throws when a skipped case does not exist. */
export function runBackendConformance(options: ConformanceOptions): void {
  const reasons = new Map(
    (options.skip ?? []).flatMap(({reason, cases}) => cases.map((name) => [name, reason] as const)),
  );
  for (const name of reasons.keys()) {
    if (!backendCases.some((known) => known.name === name))
      throw new SandboxError('BROKEN_INVARIANT', `there is no case \`${name}\` to skip`);
  }
  for (const {name, run, below = ''} of backendCases) {
    const reason = reasons.get(name);
    if (reason !== undefined) options.registerSkipped(name, reason);
    else options.register(name, () => onStage(options, below, run));
  }
}

async function onStage(options: ConformanceOptions, below: string, run: BackendCase['run']): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-conformance-')));
  const stages: CaseStage[] = [];
  try {
    await run(await openStage(options, join(folder, below), stages));
  } finally {
    await Promise.all(stages.map(({executor}) => executor.close()));
    rmSync(folder, {recursive: true, force: true});
  }
}

async function openStage(options: ConformanceOptions, folder: string, stages: CaseStage[]): Promise<CaseStage> {
  const workspace = join(folder, 'workspace');
  const bundles = join(folder, 'bundles');
  for (const path of [workspace, bundles]) mkdirSync(path, {recursive: true});
  const runnerPath = options.runnerPath ?? fileURLToPath(import.meta.resolve('@lumenflow/sandbox/runner'));
  const holderPath =
    options.networkHolderPath ?? fileURLToPath(import.meta.resolve('@lumenflow/sandbox/network-holder'));
  const runner = runnerProgram({nodePath: process.execPath, runnerPath});
  const executor = createCallExecutor({
    backend: await options.newBackend(runner),
    runner,
    files: createHostFiles(),
    network: createSandboxNetwork({nodePath: runner.nodePath, holderPath, resolveHost: async () => ['203.0.113.1']}),
    // What a backend does not enforce is skipped, case by case.
    usualTier: 'dev',
  });
  const stage: CaseStage = {
    workspace,
    executor,
    put(path, content = '') {
      const file = join(workspace, path);
      mkdirSync(dirname(file), {recursive: true});
      writeFileSync(file, content);
      return file;
    },
    call: (body, call = {}) => runCase({body, call, workspace, bundles, runner, stage, options}),
    secondHost: () => openStage(options, folder, stages),
  };
  stages.push(stage);
  return stage;
}

interface CaseRun {
  readonly body: string;
  readonly call: CaseCall;
  readonly workspace: string;
  readonly bundles: string;
  readonly runner: RunnerProgram;
  readonly stage: CaseStage;
  readonly options: ConformanceOptions;
}

async function runCase({body, call, workspace, bundles, runner, stage, options}: CaseRun): Promise<SandboxResult> {
  const handlerEntry = (options.writeHandler ?? writeModule)(body, bundles);
  for (const pattern of call.write ?? []) {
    if (pattern.endsWith('/**')) mkdirSync(join(workspace, pattern.slice(0, -3)), {recursive: true});
  }
  const grant = grantOf(call);
  const compiled = await compileProfile({
    workspaceRoot: workspace,
    grant,
    denyOverlays: [],
    home: '/nonexistent',
    runtimePaths: [...runner.runtimePaths, bundles, ...(options.runtimePaths ?? [])],
    limits: call.limits ?? {},
    env: baseEnv({nodePath: runner.nodePath}),
    compilePattern: options.compilePattern,
    files: createHostFiles(),
  });
  if (!compiled.ok) throw new SandboxError('BROKEN_INVARIANT', compiled.problem);
  const {writesDirectly = true} = stage.executor.backend.capabilities;
  const execute = writesDirectly || grant.write.length === 0 ? executeDirectly : executeInView;
  return await execute(stage, {
    profile: compiled.value,
    wallMs: (call.wallMs ?? 60_000) + (options.startMs ?? 0),
    invocation: {
      protocol: 1,
      tool_name: 'conformance:run',
      handler_entry: handlerEntry,
      input: call.input ?? {},
      scope_enforced: grant,
      receipt_id: 'rcp-1',
      task_id: 'task-1',
      run_id: 'run-1',
      session_id: 'session-1',
      lane_id: 'lane-1',
      workspace_root: workspace,
      config: {},
      env: {...call.env},
    },
    ...call.request,
  });
}

async function executeDirectly({executor}: CaseStage, request: SandboxRequest): Promise<SandboxResult> {
  return await executor.execute(request);
}

/** As a host runs it: what the call wrote is applied if it succeeded. */
async function executeInView({executor, workspace}: CaseStage, request: SandboxRequest): Promise<SandboxResult> {
  const transactions = createTransactions({
    root: workspace,
    processes: {processId: `${process.pid.toString(16)}.1.1.1.aa`, isAlive: () => true},
    stateFolder: join(workspace, '../state'),
  });
  const transaction = await transactions.begin({
    access: {allows: () => true, whyNot: () => ({message: '', details: {}})},
    limits: request.profile.profile.limits,
    namesAtStart: () => false,
    onOpen: () => undefined,
  });
  try {
    const result = await executor.execute({...request, transaction});
    const {problem} = await transaction.finish(result.output.success);
    if (result.output.success && problem === undefined) await transaction.apply(request.invocation.receipt_id);
    return result;
  } finally {
    await transaction.close();
    await transactions.cleared();
  }
}

function writeModule(body: string, folder: string): string {
  const module = join(folder, `handler-${readdirSync(folder).length}.mjs`);
  const top = `import fs from 'node:fs';\nimport net from 'node:net';\n`;
  writeFileSync(module, `${top}export async function run(input, context) {${body}\n}\n`);
  return `${module}#run`;
}

function grantOf({read = [], write = [], allow = []}: CaseCall): GrantedScopes {
  const posture = allow.length > 0 ? 'allowlist' : 'off';
  return {read: [...read], write: [...write], network: {posture, allowlist_entries: [...allow]}};
}
