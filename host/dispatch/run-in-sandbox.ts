// Runs one call in the sandbox: compiles a profile from its grant, and reports what was really enforced.
import {realpathSync} from 'node:fs';
import {dirname} from 'node:path';
import type {DispatchOutcome, DispatchRequest} from '@lumenflow/kernel';
import {
  compileProfile,
  createHostFiles,
  type DirectLooks,
  filesInView,
  rememberNames,
  type HiddenPathsInput,
  type HostFiles,
  type ProfileInput,
  type ResolvedLimits,
  type Sandbox,
  type SandboxProblem,
  type SandboxResult,
  type WarmRequest,
  type Transaction,
  type Transactions,
} from '@lumenflow/sandbox';
import type {Invocation} from '@lumenflow/schemas';
import {failedOutput} from '../pool/index.ts';
import {backendChoice} from './backend-choice.ts';
import type {CallFiles, TransactionalWrites} from './call-files.ts';
import {explainViewFailure} from './explain-view-failure.ts';
import {watchDirectCall} from './watch-direct-call.ts';
import type {RequestServer} from './request-server.ts';
import {finishTransaction} from './finish-transaction.ts';
import {lastingRequest} from './lasting-request.ts';
import {isRepeatable} from './is-repeatable.ts';
import {withLimits, withLimitSource} from './limits-in-receipt.ts';

export interface SandboxCall {
  readonly request: DispatchRequest;
  readonly invocation: Invocation;
  readonly server: RequestServer;
  readonly limits: ResolvedLimits;
  readonly files: CallFiles;
  /** For a transactional call. */
  readonly transactions: Transactions;
  /** For a direct call. */
  readonly looks: DirectLooks;
  /** The transactions of running calls, by receipt. */
  readonly callers: Map<string, Transaction>;
}

/** By whether a new attempt may work: others can remove files again while this call is about to mount them. */
const attemptsMax = {true: 10, once: 2} as const;

export async function runInSandbox(sandbox: Sandbox, call: SandboxCall): Promise<DispatchOutcome> {
  const end = callEnd();
  const failed_starts: string[] = [];
  let isRepeated = false;
  for (;;) {
    const {neverRan, isLost, ...outcome} = await attemptInSandbox(sandbox, call, end.settled);
    if (isLost === true && !isRepeated) {
      isRepeated = true;
      continue;
    }
    const {retryable} = neverRan ?? {};
    if (neverRan === undefined || retryable === undefined || failed_starts.length + 1 >= attemptsMax[`${retryable}`])
      return {...withFailedStarts(outcome, failed_starts), afterCall: end.settle};
    failed_starts.push(neverRan.message);
  }
}

function withFailedStarts(outcome: DispatchOutcome, failed_starts: string[]): DispatchOutcome {
  const {enforcement} = outcome;
  if (enforcement === undefined || failed_starts.length === 0) return outcome;
  return {...outcome, enforcement: {...enforcement, failed_starts}};
}

interface AttemptOutcome extends DispatchOutcome {
  readonly neverRan?: SandboxProblem;
  /** Its worker was lost, and another attempt has no further effect. */
  readonly isLost?: true;
}

interface CallEnd {
  readonly settled: Promise<void>;
  settle(): void;
}

/** Checking and recording the call's writes takes priority over starting spares for the next call. */
function callEnd(): CallEnd {
  let settle = (): void => undefined;
  const settled = new Promise<void>((resolve) => (settle = resolve));
  return {settled, settle: () => settle()};
}

async function attemptInSandbox(sandbox: Sandbox, call: SandboxCall, settled: Promise<void>): Promise<AttemptOutcome> {
  const {hiding} = call.files;
  const {request, callers} = call;
  const {caller_receipt_id} = request;
  const held = request.writes === 'transactional';
  const caller = caller_receipt_id === undefined ? undefined : callers.get(caller_receipt_id)?.asCaller();
  if (held && caller_receipt_id !== undefined && caller === undefined) {
    return {
      output: failedOutput('TOOL_CANCELLED', `the call that made this call of \`${request.tool.name}\` has ended`),
    };
  }
  const host = createHostFiles();
  const seen = caller === undefined ? host : filesInView(host, hiding.workspaceRoot, caller.view.door);
  const {files, namesAtStart} = rememberNames(seen, hiding.workspaceRoot);
  const limits = call.limits.limits;
  const transaction = held ? await beginTransaction(call, {namesAtStart, limits, caller}) : undefined;
  try {
    const outcome = await executeInSandbox(sandbox, call, {hiding, files, transaction, settled});
    if (outcome.held === undefined) await transaction?.close();
    return outcome;
  } catch (error) {
    await transaction?.close();
    throw error;
  }
}

/** Until it is closed, nested calls find it by the receipt. */
async function beginTransaction(
  {files, transactions, callers, request}: SandboxCall,
  held: TransactionalWrites,
): Promise<Transaction> {
  const transaction = await files.beginTransaction(transactions, held);
  const {receipt_id} = request;
  callers.set(receipt_id, transaction);
  return {
    ...transaction,
    async close() {
      callers.delete(receipt_id);
      await transaction.close();
    },
  };
}

interface Attempt {
  readonly hiding: HiddenPathsInput;
  readonly files: HostFiles;
  readonly transaction: Transaction | undefined;
  readonly settled: Promise<void>;
}

async function executeInSandbox(sandbox: Sandbox, call: SandboxCall, attempt: Attempt): Promise<AttemptOutcome> {
  const {request, invocation, server, limits} = call;
  const {hiding, files, transaction, settled} = attempt;
  const {module_path, pack} = request.tool;
  const profileInput: ProfileInput = {
    ...hiding,
    trustedPaths: request.trusted_paths ?? [],
    grant: request.scope_enforced,
    runtimePaths: [...sandbox.runtimePaths, dirname(realpathSync.native(module_path)), ...(pack.runtime_paths ?? [])],
    limits: limits.limits,
    env: sandbox.baseEnv,
    files,
  };
  const compiled = await compileProfile(profileInput);
  if (!compiled.ok) {
    return {
      output: failedOutput('SANDBOX_UNAVAILABLE', `\`${request.tool.name}\` cannot be sandboxed: ${compiled.problem}`),
    };
  }
  const profile = compiled.value;
  call.files.obey(profile.obeyed);
  const direct = transaction === undefined ? await watchDirectCall(call, profileInput, profile) : undefined;
  const running = sandbox.execute({
    profile,
    invocation,
    wallMs: limits.timeoutMs,
    ...backendChoice(request),
    needs: request.tool.declaration.needs,
    ...signalOf(request, transaction?.exceeded ?? direct?.broken),
    warm: {...warmRequest(request), settled},
    lasting: lastingRequest(request),
    transaction,
    onMessage: (message, reply) => server.onMessage(message, reply),
  });
  const result = await running.catch(async (error: unknown) => {
    await direct?.finish(true);
    throw error;
  });
  logRestart(request, result);
  logStreams(request, result);
  const reported = {enforcement: withLimits(result.enforcement, limits), ...againOf(request, result)};
  if (transaction === undefined) {
    // A development backend enforces nothing, and reports that.
    const refused = await direct?.finish(!['none', 'dev'].includes(result.enforcement.tier));
    return {output: refused ?? withLimitSource(result.output, limits), ...reported};
  }
  // A new attempt needs the server, and another view.
  if (reported.neverRan !== undefined || reported.isLost === true) return {output: result.output, ...reported};
  await server.close();
  const output = explainViewFailure(result.output, result.stderr);
  const finished = await finishTransaction(transaction, {receiptId: request.receipt_id, tool: request.tool, output});
  return {...finished, output: withLimitSource(finished.output, limits), ...reported};
}

/** What speaks for another attempt. */
function againOf(
  {tool}: DispatchRequest,
  {neverRan, lost}: SandboxResult,
): Pick<AttemptOutcome, 'neverRan' | 'isLost'> {
  if (neverRan !== undefined) return {neverRan};
  return lost !== undefined && isRepeatable(tool.declaration) ? {isLost: true} : {};
}

/** A call also ends when it exceeds a write limit, or when its file protection fails. */
function signalOf({signal}: DispatchRequest, own: AbortSignal | undefined): {readonly signal?: AbortSignal} {
  if (own === undefined) return signal === undefined ? {} : {signal};
  return {signal: signal === undefined ? own : AbortSignal.any([signal, own])};
}

/** The key that determines which calls a spare can serve. */
function warmRequest({tool, task_id, run_id, writes}: DispatchRequest): WarmRequest {
  const packHash = tool.pack.integrity;
  // A transaction has its own view, and so its own sandbox.
  return tool.declaration.sandbox_reuse === 'task' && writes === 'direct'
    ? {packHash, reuseForTask: `${task_id} ${run_id}`}
    : {packHash};
}

/** An agent that relies on the server's state must learn that it is lost. */
function logRestart(request: DispatchRequest, {enforcement: {server}}: SandboxResult): void {
  if (server?.restarted_after === undefined) return;
  const {pin} = request.tool.pack;
  const message = `the server of the pack \`${pin.id}\` was started again, without its earlier state (${server.restarted_after})`;
  request.onLog({level: 'warn', message, fields: {...server}});
}

/** The handler's printed output becomes its log. */
function logStreams(request: DispatchRequest, {stdout, stderr, truncated}: SandboxResult): void {
  if (stdout !== '') request.onLog({level: 'info', message: stdout.replace(/\n$/, ''), fields: {stream: 'stdout'}});
  if (stderr !== '') request.onLog({level: 'warn', message: stderr.replace(/\n$/, ''), fields: {stream: 'stderr'}});
  if (truncated) request.onLog({level: 'warn', message: 'the call printed more than its limit: the rest is dropped'});
}
