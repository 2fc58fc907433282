// Runs an admitted call's handler where it belongs, and listens to it while it runs.
import type {CallPrincipal, ToolOutput, Writes} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import type {SandboxChoice} from '../dispatch/sandbox-choice.ts';
import type {DispatchOutcome, DispatchRequest} from '../ports.ts';
import {runBuiltinTool, isRunByKernel, isRevert} from '../builtin-tools/run-builtin-tool.ts';
import type {PolicyResult} from '../policy/index.ts';
import type {AdmittedCall, CallRequest, ParentCall} from './call.ts';
import {transitionCheckCall} from './transition-check-call.ts';
import {sandboxChoice} from '../workspace/sandbox-choice.ts';
import {callerOf} from './caller-of.ts';
import {collectHandlerReports, type HandlerReports} from './collect-handler-reports.ts';
import {callWrites} from './call-writes.ts';
import {resultJudge} from './result-judge.ts';
import {listGovernedTools} from './list-governed-tools.ts';
import {onlyMakesCalls} from './only-makes-calls.ts';
import {parentCall} from './parent-call.ts';
import {revertChanges} from './revert-changes.ts';

export interface CallOutcome {
  readonly dispatched: DispatchOutcome;
  /** The handler's log as JSON Lines, bounded. */
  readonly log: string;
  /** Receipts of the calls that it made, bounded. */
  readonly children: readonly string[];
  /** Policy lets what its calls wrote through only if a person agrees. */
  readonly carried: readonly PolicyResult[];
}

type CallTool = (kernel: Kernel, request: CallRequest) => Promise<ToolOutput>;

/** Receipts of nested calls that are listed in the outcome. */
const childrenMax = 1_000;

export async function dispatchCall(kernel: Kernel, call: AdmittedCall, nested: CallTool): Promise<CallOutcome> {
  const children: string[] = [];
  const carried: PolicyResult[] = [];
  const callTool: CallTool = async (of, request) => {
    const output = await nested(of, request);
    const receiptId = output.metadata?.receipt_id;
    if (receiptId !== undefined && children.length < childrenMax) children.push(receiptId);
    return output;
  };
  const voice = collectHandlerReports(kernel, call, resultJudge(kernel, call));
  try {
    const dispatched = await dispatch(kernel, call, {voice, callTool, carried});
    return {dispatched, log: voice.end(), children, carried};
  } catch (error) {
    // A dispatcher must not reject. If it does, the progress of the handler is unknown, and the record says so.
    const failure = {code: 'TOOL_CRASHED', message: `the dispatcher failed: ${String(error)}`};
    return {dispatched: {output: {success: false, error: failure}}, log: voice.end(), children, carried};
  }
}

interface Dispatching {
  readonly voice: HandlerReports;
  readonly callTool: CallTool;
  readonly carried: PolicyResult[];
}

function dispatch(
  kernel: Kernel,
  call: AdmittedCall,
  {voice, callTool, carried}: Dispatching,
): Promise<DispatchOutcome> {
  const {context, parent, input} = call.request;
  const {receipt_id} = call;
  const depth = parent?.depth ?? 0;
  const isOfKernel = isRunByKernel(call.tool);
  const writes = callWrites(kernel, call);
  // Most calls make none: what those would need is put together for the first.
  const asParent = (): ParentCall => parentOf(call, {voice, carried, writes, isOfKernel});
  if (isOfKernel) {
    if (context.dry_run === true && call.tool.declaration.permission !== 'read') return noDryRun(call);
    const check = transitionCheckCall(kernel, callTool, asParent());
    const by = callerOf(call);
    const person = by === call.run.by ? context.person : undefined;
    const caller = {pack: parent?.pack ?? call.tool.pack, run: call.run, by, person};
    const answer = runBuiltinTool(kernel, call.tool, {caller, input, transitionCheckCall: check});
    return answer.then((output) => ({output}));
  }
  const request: DispatchRequest = {
    receipt_id,
    depth,
    tool: call.tool,
    input,
    task_id: call.task.spec.id,
    run_id: call.run.run_id,
    session_id: call.run.session_id,
    lane_id: call.lane.spec.id,
    principal: principalOf(call),
    grant: call.grant,
    scope_enforced: call.scope_enforced,
    writes,
    caller_receipt_id: parent?.view_receipt_id,
    dry_run: context.dry_run,
    ...sandboxSettings(kernel, call),
    ...(context.signal !== undefined && {signal: context.signal}),
    onProgress: voice.onProgress,
    onLog: voice.onLog,
    ...(onlyMakesCalls(call.tool) && {reach: reachOf(kernel, context)}),
    callTool: async (name, childInput, signal) =>
      await callTool(kernel, {
        name,
        input: childInput,
        context: signal === undefined ? context : {...context, signal},
        parent: asParent(),
      }),
  };
  return perform(kernel, call, request);
}

function reachOf(kernel: Kernel, context: CallRequest['context']): NonNullable<DispatchRequest['reach']> {
  const {tools} = kernel.workspace;
  return {tools, govern: (among) => listGovernedTools(kernel, context, among)};
}

interface Parenthood extends Pick<Dispatching, 'voice' | 'carried'> {
  readonly writes: Writes;
  readonly isOfKernel: boolean;
}

function parentOf(call: AdmittedCall, {voice, carried, writes, isOfKernel}: Parenthood): ParentCall {
  const {parent} = call.request;
  const ownView = writes === 'transactional' ? call.receipt_id : undefined;
  // The kernel's own tools have no view, nor has what only makes calls.
  const isBetween = isOfKernel || onlyMakesCalls(call.tool);
  return parentCall(call, {
    writes: isBetween ? (parent?.writes ?? writes) : writes,
    view_receipt_id: isBetween ? parent?.view_receipt_id : ownView,
    carryApproval: (asks) => (isBetween ? parent?.carryApproval(asks) : void carried.push(asks)),
    isOver: voice.isOver,
  });
}

function perform(kernel: Kernel, call: AdmittedCall, request: DispatchRequest): Promise<DispatchOutcome> {
  return isRevert(call.tool) ? revertChanges(kernel, call, request) : kernel.ports.dispatcher.dispatch(request);
}

/** What the kernel changes for a pack is not a file, so it could not be discarded. */
function noDryRun({tool}: AdmittedCall): Promise<DispatchOutcome> {
  const message = `\`${tool.name}\` has no dry run: it changes no files`;
  return Promise.resolve({output: {success: false, error: {code: 'TOOL_EXECUTION_FAILED', message}}});
}

/** For packs that distinguish their callers. */
function principalOf(call: AdmittedCall): CallPrincipal {
  const {surface = 'api', is_operator: isOperator} = call.request.context;
  const {approval_request_id: request_id} = call;
  return {
    name: callerOf(call),
    surface,
    ...(isOperator === true && {is_operator: true}),
    ...(request_id !== undefined && {approval_request_id: request_id}),
  };
}

function sandboxSettings(
  {workspace}: Kernel,
  {lane}: AdmittedCall,
): SandboxChoice & Pick<DispatchRequest, 'trusted_paths' | 'limit_ceilings'> {
  return {
    ...sandboxChoice(workspace.spec, lane.spec),
    trusted_paths: workspace.trustedPaths,
    limit_ceilings: workspace.spec.security.sandbox?.limits,
  };
}
