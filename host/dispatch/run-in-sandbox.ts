// Runs one call in the sandbox: compiles what its grant lets it touch, and says what really held it.
import {realpathSync} from 'node:fs';
import {dirname} from 'node:path';
import type {DispatchOutcome, DispatchRequest} from '@lumenflow/kernel';
import {
  compileProfile,
  createHostFiles,
  isProfileProblem,
  lookAfterCall,
  rememberNames,
  type CompiledProfile,
  type HiddenPathsInput,
  type HostFiles,
  type ProfileInput,
  type ResolvedLimits,
  type Sandbox,
  type SandboxResult,
  type WarmRequest,
  type Transaction,
  type Transactions,
} from '@lumenflow/sandbox';
import type {Invocation} from '@lumenflow/schemas';
import {failedOutput} from '../pool/index.ts';
import type {CallFiles} from './call-files.ts';
import {explainViewFailure} from './explain-view-failure.ts';
import type {RequestServer} from './request-server.ts';
import {finishTransaction} from './finish-transaction.ts';
import {refusePlanted} from './refuse-planted.ts';
import {withLimits, withLimitSource} from './limits-in-receipt.ts';

export interface SandboxCall {
  readonly request: DispatchRequest;
  readonly invocation: Invocation;
  readonly server: RequestServer;
  readonly limits: ResolvedLimits;
  readonly files: CallFiles;
  /** For a call whose writes are held back. */
  readonly transactions: Transactions;
}

const quarantineFolder = '.lumenflow/quarantine';
/** Other calls may remove files while this one is about to mount them; then it has not begun. */
const attemptsMax = 10;

export async function runInSandbox(sandbox: Sandbox, call: SandboxCall): Promise<DispatchOutcome> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptInSandbox(sandbox, call);
    const {error} = outcome.output;
    const mayRetry = error?.code === 'SANDBOX_UNAVAILABLE' && error.details?.['retryable'] === true;
    if (!mayRetry || attempt === attemptsMax) return outcome;
  }
}

async function attemptInSandbox(sandbox: Sandbox, call: SandboxCall): Promise<DispatchOutcome> {
  const {hiding} = call.files;
  const {files, namesAtStart} = rememberNames(createHostFiles(), hiding.workspaceRoot);
  const held = call.request.writes === 'transactional';
  const transaction = held
    ? await call.files.holdWrites(call.transactions, namesAtStart, call.limits.limits)
    : undefined;
  try {
    const outcome = await executeInSandbox(sandbox, call, {hiding, files, transaction});
    if (outcome.held === undefined) await transaction?.close();
    return outcome;
  } catch (error) {
    await transaction?.close();
    throw error;
  }
}

interface Attempt {
  readonly hiding: HiddenPathsInput;
  readonly files: HostFiles;
  readonly transaction: Transaction | undefined;
}

async function executeInSandbox(sandbox: Sandbox, call: SandboxCall, attempt: Attempt): Promise<DispatchOutcome> {
  const {request, invocation, server, limits} = call;
  const {hiding, files, transaction} = attempt;
  const {module_path, pack} = request.tool;
  const profileInput: ProfileInput = {
    ...hiding,
    grant: request.scope_enforced,
    runtimePaths: [...sandbox.runtimePaths, dirname(realpathSync(module_path)), ...(pack.runtime_paths ?? [])],
    limits: limits.limits,
    env: sandbox.baseEnv,
    files,
  };
  const profile = await compileProfile(profileInput);
  if (isProfileProblem(profile)) {
    return {
      output: failedOutput('SANDBOX_UNAVAILABLE', `\`${request.tool.name}\` cannot be sandboxed: ${profile.problem}`),
    };
  }
  const result = await sandbox.execute({
    profile,
    invocation,
    wallMs: limits.timeoutMs,
    ...(request.security_profile && {securityProfile: request.security_profile}),
    ...(request.sandbox_backend && {backend: request.sandbox_backend}),
    ...signalOf(request, transaction),
    warm: warmRequest(request),
    ...(transaction && {transaction}),
    onMessage: (message, reply) => server.onMessage(message, reply),
  });
  logStreams(request, result);
  const enforcement = withLimits(result.enforcement, limits);
  if (transaction === undefined) {
    // Where nothing ran nothing was planted; a backend for development holds nothing, and says so.
    const isHeld = !['none', 'dev'].includes(result.enforcement.tier);
    const refused = isHeld ? await lookForPlanted(call, profileInput, profile) : undefined;
    return {output: refused ?? withLimitSource(result.output, limits), enforcement};
  }
  await server.close();
  const output = explainViewFailure(result.output, result.stderr);
  const settled = await finishTransaction(transaction, {receiptId: request.receipt_id, tool: request.tool, output});
  return {...settled, output: withLimitSource(settled.output, limits), enforcement};
}

/** A transactional call also ends when it meets a limit of what it may write. */
function signalOf({signal}: DispatchRequest, transaction: Transaction | undefined): {readonly signal?: AbortSignal} {
  if (transaction === undefined) return signal === undefined ? {} : {signal};
  return {signal: signal === undefined ? transaction.exceeded : AbortSignal.any([signal, transaction.exceeded])};
}

/** A call that could write nothing has planted nothing. */
async function lookForPlanted(
  {request, files}: SandboxCall,
  input: ProfileInput,
  before: CompiledProfile,
): Promise<DispatchOutcome['output'] | undefined> {
  if (before.profile.writable_bind_mounts.length === 0) return undefined;
  const findings = await lookAfterCall({
    profile: {...input, files: createHostFiles()},
    guarded: before.guarded,
    watched: before.watched,
    mayWrite: (path) => files.mayWrite(path),
    keptIn: `${quarantineFolder}/${request.receipt_id}`,
  });
  return refusePlanted(findings, request.tool.name, `${quarantineFolder}/${request.receipt_id}`);
}

/** By which calls may be served by what was started before them. */
function warmRequest({tool, task_id, run_id, writes}: DispatchRequest): WarmRequest {
  const packHash = tool.pack.integrity;
  // A transaction has a view of its own, and so a sandbox of its own.
  return tool.declaration.sandbox_reuse === 'task' && writes === 'direct'
    ? {packHash, reuseForTask: `${task_id} ${run_id}`}
    : {packHash};
}

/** What the handler printed is its log. */
function logStreams(request: DispatchRequest, {stdout, stderr, truncated}: SandboxResult): void {
  if (stdout !== '') request.onLog({level: 'info', message: stdout.replace(/\n$/, ''), fields: {stream: 'stdout'}});
  if (stderr !== '') request.onLog({level: 'warn', message: stderr.replace(/\n$/, ''), fields: {stream: 'stderr'}});
  if (truncated) request.onLog({level: 'warn', message: 'the call printed too much; the rest is dropped'});
}
