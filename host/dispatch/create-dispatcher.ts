// Runs handlers for the kernel: routes each call to the pool, to the sandbox or to a service, and answers its handler's requests.
// A handler runs on the pool only if both its declaration and its pack's pin allow it.
import {realpathSync} from 'node:fs';
import type {DispatchOutcome, DispatchRequest, Dispatcher, RegisteredTool} from '@lumenflow/kernel';
import type {HandlerHome} from '@lumenflow/kernel/adapters';
import type {ToolOutput} from '@lumenflow/schemas';
import {resolveLimits, type ResolvedLimits, type Sandbox, type Transaction} from '@lumenflow/sandbox';
import type {Invocation, Writes} from '@lumenflow/schemas';
import {isLocalTool, refuseView} from '../local-handlers/index.ts';
import {failedOutput, type Pool, type PoolCall} from '../pool/index.ts';
import {createServiceCalls, isService, type OrderServers} from '../services/index.ts';
import {createPackStates} from '../state/index.ts';
import {realFolder} from '../real-folder.ts';
import {withAuthorStack} from './author-stack.ts';
import {backendChoice} from './backend-choice.ts';
import {explainNotGranted} from './explain-not-granted.ts';
import {buildInvocation} from './build-invocation.ts';
import {CallFiles} from './call-files.ts';
import {createSandboxQueue} from './sandbox-queue.ts';
import {createServerCalls} from './create-server-calls.ts';
import {makeChanges} from './make-changes.ts';
import {observedEnforcement} from './observed-enforcement.ts';
import {openRecoverableWrites, type RecoverableWritesOptions} from './open-recoverable-writes.ts';
import {runInSandbox} from './run-in-sandbox.ts';
import {RequestServer} from './request-server.ts';
import {trustedPath} from './trusted-path.ts';
import {writeRefusal} from './write-refusal.ts';
import {systemRefusal} from './system-refusal.ts';

export interface DispatcherOptions extends RecoverableWritesOptions {
  readonly pool: Pool;
  readonly sandbox: Sandbox;
  /** The host's environment. Handlers receive the variables that their tools require. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Timeout of tools that declare none; default 60,000. */
  readonly timeoutMs?: number;
  /**
   * Calls wait for a debugger: they run one after another, without time limit, and never on the pool.
   */
  readonly isInspected?: boolean;
  /** The order of a service's servers; default that of its pin. */
  readonly orderServers?: OrderServers | undefined;
  /** Maximum number of concurrent sandboxes for each depth of nesting; default 16. */
  readonly sandboxesMax?: number;
}

export interface WorkspaceDispatcher extends Dispatcher {
  /** Fulfilled once the leftovers of interrupted calls were checked. Calls wait for it. */
  readonly recovered: Promise<void>;
  /** Resolves once ended calls have no files left on disk, except those that wait for approval. */
  cleared(): Promise<void>;
}

/** A person reads code for that long, at most. */
const inspectedMs = 24 * 60 * 60 * 1000;

/** Closing the dispatcher closes the pool and the sandbox. Throws when the workspace root does not exist. */
export function createDispatcher(options: DispatcherOptions): WorkspaceDispatcher {
  const {pool, sandbox, env, isInspected = false, sandboxesMax = 16} = options;
  const workspaceRoot = realpathSync(options.workspaceRoot);
  const servers = createServerCalls({workspaceRoot, processes: options.processes});
  const queue = createSandboxQueue(isInspected ? 1 : sandboxesMax);
  const modeOf = isInspected ? inspectedMode : usualMode;
  const services = createServiceCalls({...options, workspaceRoot});
  const states = createPackStates({workspaceRoot, processes: options.processes});
  // Grants are compared by real paths, and a home directory is often reached through a symlink.
  const place = {workspaceRoot, home: realFolder(options.home), stateFolder: realFolder(options.stateFolder)};
  const {recovered, ...writes} = openRecoverableWrites({...options, ...place});
  const shared = {...writes, callers: new Map<string, Transaction>()};

  async function run(
    request: DispatchRequest,
    invocation: Invocation,
    limits: ResolvedLimits,
  ): Promise<DispatchOutcome> {
    const mode = modeOf(request.tool, request.writes);
    if (mode === 'service') return await services.run(request, invocation, limits.timeoutMs);
    const files = new CallFiles(request, place);
    const server = new RequestServer(request, files, states);
    // Modified in place: a copy for each part costs more than the parts themselves.
    const outcome: MutableOutcome =
      mode === 'pool'
        ? {output: await runHere(pool, request, {invocation, limits, onMessage: server.onMessage})}
        : await queue.run(waitLimits(request, limits), async () =>
            runInSandbox(sandbox, {request, invocation, server, limits, files, ...shared}),
          );
    await server.close();
    report(outcome, {mode, request, files, denials: server.denials()});
    return outcome;
  }

  return {
    modeOf,
    hasViews: (choice) => sandbox.hasViews(backendChoice(choice)),
    unmetTier: (choice) => sandbox.unmetTier(backendChoice(choice)),
    whyNotWrite: (path, grant, named) => writeRefusal(grant, path, trustedPath(path, {...place, named})),
    parked: writes.transactions.parked,
    makeChanges: (request, given) => makeChanges(request, given, {place, recovered, ...writes}),
    recovered,
    cleared: writes.transactions.cleared,
    async dispatch(request) {
      const limits = limitsOf(request, options);
      const built = buildInvocation(request, {workspaceRoot, env, deadline: options.now() + limits.timeoutMs});
      if ('missingEnv' in built) return {output: missingEnvironment(request.tool.name, built.missingEnv)};
      try {
        await recovered;
        const call = (timeoutMs: number) => run(request, built.invocation, {...limits, timeoutMs});
        return explained(await servers.run(request, limits.timeoutMs, call), request, workspaceRoot);
      } catch (error) {
        // The host itself failed. The call has begun, so it needs an outcome.
        return {output: notRun(request, error)};
      }
    },
    async close() {
      await Promise.all([pool.close(), servers.close(), queue.close(), sandbox.close()]);
      services.close();
      states.close();
      await writes.transactions.cleared();
    },
  };
}

type MutableOutcome = {-readonly [Part in keyof DispatchOutcome]: DispatchOutcome[Part]};

interface ObservedCall {
  readonly mode: HandlerHome;
  readonly request: DispatchRequest;
  readonly files: CallFiles;
  readonly denials: readonly string[];
}

/** Adds what the host observed to the outcome. */
function report(outcome: MutableOutcome, {mode, request, files, denials}: ObservedCall): void {
  const all = [denials, systemRefusal(outcome.output) ?? []].flat();
  const enforcement = observedEnforcement(mode, outcome.enforcement, all);
  if (enforcement !== undefined) outcome.enforcement = enforcement;
  // The changes that a transaction applied are in its outcome.
  const artifacts_written = request.writes === 'transactional' ? undefined : files.written;
  if (artifacts_written !== undefined) outcome.artifacts_written = artifacts_written;
}

/** The outcome as its author understands it: positions in sources, names of files, and missing grants. */
function explained(outcome: DispatchOutcome, request: DispatchRequest, workspaceRoot: string): DispatchOutcome {
  if (outcome.output.success) return outcome;
  const {source, url} = request.tool.pack.pin;
  // It is granted exactly its address.
  const isRemote = source === 'mcp' && url !== undefined;
  const found = isRemote ? outcome.output : explainNotGranted(outcome.output, request, workspaceRoot);
  const output = withEntryName(found, request.tool);
  return withAuthorStack(workspaceRoot, {...outcome, output});
}

/** The author knows the handler's file by its path in the pack, not by that of its build. */
function withEntryName(output: ToolOutput, {module_path, declaration}: RegisteredTool): ToolOutput {
  const {error} = output;
  if (error === undefined || !error.message.includes(module_path)) return output;
  const [file = ''] = declaration.handler_entry.split('#');
  return {...output, error: {...error, message: error.message.replaceAll(module_path, file)}};
}

/** A debugger is attached to a handler in the sandbox only. */
function inspectedMode(tool: RegisteredTool): HandlerHome {
  if (isService(tool.pack.pin)) return 'service';
  return isLocalTool(tool) ? 'pool' : 'sandbox';
}

/** A thread shares the host's files, so its handler's writes cannot be isolated, and it enforces no guarantee. */
function usualMode(tool: RegisteredTool, writes: Writes): HandlerHome {
  if (isService(tool.pack.pin)) return 'service';
  if (isLocalTool(tool)) return 'pool';
  const {declaration, pack} = tool;
  const mayShare =
    declaration.handler === 'in_process' && pack.pin.trust === 'in_process' && declaration.needs === undefined;
  return mayShare && writes === 'direct' ? 'pool' : 'sandbox';
}

function limitsOf(
  {tool, limit_ceilings}: DispatchRequest,
  {timeoutMs = 60_000, isInspected}: DispatcherOptions,
): ResolvedLimits {
  const {limits, timeout_ms} = tool.declaration;
  const resolved = resolveLimits({
    declared: limits ?? {},
    timeoutMs: timeout_ms,
    ceilings: limit_ceilings ?? {},
    timeoutMsDefault: timeoutMs,
  });
  return isInspected === true ? {...resolved, timeoutMs: inspectedMs} : resolved;
}

interface CallLimits {
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
  readonly depth: number;
}

function waitLimits({signal, depth}: DispatchRequest, {timeoutMs}: ResolvedLimits): CallLimits {
  return signal === undefined ? {timeoutMs, depth} : {timeoutMs, depth, signal};
}

interface CallHere extends Pick<PoolCall, 'invocation' | 'onMessage'> {
  readonly limits: ResolvedLimits;
}

async function runHere(pool: Pool, request: DispatchRequest, call: CallHere): Promise<ToolOutput> {
  return refuseView(request) ?? (await pool.run(pooledCall(request, call)));
}

function pooledCall({signal, depth}: DispatchRequest, {invocation, limits, onMessage}: CallHere): PoolCall {
  const {timeoutMs} = limits;
  return signal === undefined
    ? {invocation, timeoutMs, depth, onMessage}
    : {invocation, timeoutMs, depth, onMessage, signal};
}

function notRun({tool}: DispatchRequest, error: unknown): DispatchOutcome['output'] {
  return failedOutput('TOOL_EXECUTION_FAILED', `\`${tool.name}\` could not be run: ${String(error)}`);
}

function missingEnvironment(tool: string, names: readonly string[]): DispatchOutcome['output'] {
  const listed = names.map((name) => `\`${name}\``).join(', ');
  const message = `\`${tool}\` requires ${listed} in the environment of the host: set ${names.length === 1 ? 'it' : 'them'} and restart the host`;
  return failedOutput('TOOL_EXECUTION_FAILED', message, {missing_env: [...names]});
}
