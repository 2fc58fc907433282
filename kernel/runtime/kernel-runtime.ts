// The kernel's interface for embedders: tasks, calls, approvals, evidence and events of one workspace.
import type {KernelEvent, Person, TaskSpec, ToolOutput, Writes} from '@lumenflow/schemas';
import type {ApprovalRecord, StandingApproval} from '../approvals/approval-record.ts';
import {transitionCheckCall} from '../calls/transition-check-call.ts';
import {usualWrites} from '../calls/call-writes.ts';
import {callTool} from '../calls/call-tool.ts';
import type {ExecutionContext} from '../calls/execution-context.ts';
import {explainTool, type Explanation} from '../calls/explain-tool.ts';
import {listGovernedTools} from '../calls/list-governed-tools.ts';
import type {GovernedTool} from '../dispatch/tool-reach.ts';
import type {LaneContext} from '../calls/simulate-call.ts';
import type {Kernel} from '../context/kernel.ts';
import {isPromise} from '../maybe-promise.ts';
import type {EventLog} from '../ports.ts';
import {evidenceOf, type RuntimeEvidence} from './runtime-evidence.ts';
import type {RuntimeChanges} from './runtime-changes.ts';
import {notificationsOf, type RuntimeNotifications} from './runtime-notifications.ts';
import {peopleOf, type RuntimePeople} from './runtime-people.ts';
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import {createLiveKernel} from '../reload/live-kernel.ts';
import {answerKept} from '../transitions/answer-kept.ts';
import {reconcileParked} from '../transitions/reconcile-parked.ts';
import {listKept} from '../transitions/list-kept.ts';
import {viewChanges} from '../transitions/view-changes.ts';
import {createPackReloads, type PackReloads} from '../reload/pack-reloads.ts';
import type {PackReloader} from '../reload/reload-packs.ts';
import type {TaskRecord, TaskRun} from '../tasks/task-record.ts';
import {createLifecycle, type Lifecycle} from './lifecycle.ts';
import {listApprovals, type ApprovalFilter} from './list-approvals.ts';
import {listTasks, type TaskFilter} from './list-tasks.ts';
import {notifyListener} from '../reload/notify-listener.ts';
import type {TransitionResult} from '../transition.ts';
import {amendTask, type AmendCommand} from '../transitions/amend-task.ts';
import {cancelTask, type CancelCommand} from '../transitions/cancel-task.ts';
import {claimTask, type ClaimCommand} from '../transitions/claim-task.ts';
import {completeTask, type CompleteCommand} from '../transitions/complete-task.ts';
import {createTask} from '../transitions/create-task.ts';
import {inheritTaint, type InheritCommand} from '../transitions/inherit-taint.ts';
import {
  explainTransition,
  type SupposedTransition,
  type TransitionExplanation,
} from '../transitions/explain-transition.ts';
import {changeRun, type ChangeRunCommand} from '../transitions/change-run.ts';
import type {ApprovalResolution} from '../approvals/decide-approval.ts';
import {requestApproval, type ApprovalRequest, type RequestedApproval} from '../transitions/request-approval.ts';
import {resolveApproval} from '../transitions/resolve-approval.ts';
import {viewTask, type TaskView} from '../transitions/view-task.ts';
import {withdrawApproval, type ApprovalWithdrawal} from '../transitions/withdraw-approvals.ts';
import type {CompiledWorkspace} from '../workspace/compiled-workspace.ts';

export interface EventFilter {
  readonly after_seq?: number;
  readonly limit?: number;
  readonly types?: readonly KernelEvent['type'][];
  readonly task_id?: string;
}

export interface KernelRuntime {
  /** The packs, tools and lanes that are loaded now. */
  readonly workspace: CompiledWorkspace;
  /** Whether workspace.yaml is still the file that was loaded. Otherwise every call fails until the host restarts. */
  isWorkspaceCurrent(): boolean;
  readonly packs: PackReloads;
  /**
   * Waits until this runtime has read what other processes recorded. After that, methods without promises (`listTasks`,
   * `listApprovals`) return current values; with a state on files they always do.
   */
  refresh(): Promise<void>;
  /** For readiness checks. Rejects with KernelError LOG_UNAVAILABLE if nothing can be recorded now. */
  checkWritable(): Promise<void>;
  /** `inherits`: the task is tainted if a session of `by` ever was, as text that this principal wrote may contain what it read. */
  createTask(
    spec: TaskSpec,
    options?: {readonly by?: string; readonly person?: Person | undefined; readonly inherits?: boolean},
  ): Promise<TransitionResult<TaskRecord>>;
  /** For a session that is given, outside of a call, what another one returned. */
  inheritTaint(command: InheritCommand): Promise<TransitionResult<null>>;
  /** Changes a ready task's spec: the given keys replace the existing ones. */
  amendTask(command: AmendCommand): Promise<TransitionResult<TaskRecord>>;
  /** Cancels a ready task. */
  cancelTask(command: CancelCommand): Promise<TransitionResult<TaskRecord>>;
  claimTask(command: ClaimCommand): Promise<TransitionResult<TaskRun>>;
  blockTask(command: ChangeRunCommand & {readonly reason: string}): Promise<TransitionResult<TaskRecord>>;
  unblockTask(command: ChangeRunCommand): Promise<TransitionResult<TaskRecord>>;
  releaseTask(command: ChangeRunCommand & {readonly reason: string}): Promise<TransitionResult<TaskRecord>>;
  completeTask(command: CompleteCommand): Promise<TransitionResult<TaskRecord>>;
  inspectTask(taskId: string): Promise<TransitionResult<TaskView>>;
  listTasks(filter?: TaskFilter): readonly TaskRecord[];
  /** A session's active and blocked tasks, in the order of its claims. */
  listHeldTasks(sessionId: string): readonly TaskRecord[];
  /** The decision about a claim or a completion, without changes and without a request for approval. */
  explainTransition(transition: SupposedTransition): Promise<TransitionResult<TransitionExplanation>>;

  executeTool(name: string, input: unknown, context: ExecutionContext): Promise<ToolOutput>;
  /** The tools in an active task, or in a new task of a lane; with `among`, only those of these names, in their order. */
  listGovernedTools(
    context: ExecutionContext | LaneContext,
    among?: readonly string[],
  ): Promise<readonly GovernedTool[]>;
  /** How the tool's calls write, in lanes that do not set `writes`. */
  writesOf(tool: RegisteredTool): Writes;
  /** Evaluates a call without running or recording it. `at`: when it would come in, UTC, ISO 8601 with milliseconds; default now. */
  explainTool(name: string, input: unknown, context: ExecutionContext | LaneContext, at?: string): Promise<Explanation>;

  /** Asks a person about a program or one of its steps, once: a repeated request for the same subject returns the answer. */
  requestApproval(request: ApprovalRequest): Promise<TransitionResult<RequestedApproval>>;
  resolveApproval(resolution: ApprovalResolution): Promise<TransitionResult<ApprovalRecord>>;
  /** Withdraws a request of the same principal. It can no longer be answered or used. */
  withdrawApproval(withdrawal: ApprovalWithdrawal): Promise<TransitionResult<ApprovalRecord>>;
  listApprovals(filter?: ApprovalFilter): readonly StandingApproval[];

  /** Who signed in, and the ends of their sign-ins. */
  readonly people: RuntimePeople;

  /** Notifications about requests, for the receivers in `approvals.notify` of workspace.yaml. */
  readonly notifications: RuntimeNotifications;

  /** The changes of calls, and those that wait for a decision. */
  readonly changes: RuntimeChanges;

  readonly evidence: RuntimeEvidence;
  readonly events: {
    read(filter?: EventFilter): Promise<readonly KernelEvent[]>;
    /**
     * Calls the listener for the events so far, or for those after `after_seq`, then for each new one. Returns the function that ends the
     * subscription.
     */
    subscribe(filter: Omit<EventFilter, 'limit'>, listener: (event: KernelEvent) => void): () => void;
  };
  /** Waits for calls in flight, flushes, signs a checkpoint, releases every handle. */
  close(): Promise<void>;
}

/** The parts of a runtime besides its kernel. */
export interface RuntimeParts {
  /** Without it, no pack changes while the runtime runs. */
  readonly reloader?: PackReloader | undefined;
  /** Called after the last call has ended. */
  release(): Promise<void>;
}

export function createKernelRuntime(first: Kernel, {reloader, release}: RuntimeParts): KernelRuntime {
  const live = createLiveKernel(first, (pack) => reloader?.release(pack));
  const {ports} = first;
  const lifecycle = createLifecycle({live, release, giveTurn: ports.giveTurn?.bind(ports)});
  const {run, transition} = lifecycle;
  const fresh = (): Kernel['state'] => {
    const refreshing = ports.events.refresh();
    // The next read or call reports a failure. This one returns what is known.
    if (isPromise(refreshing)) refreshing.catch(() => undefined);
    return first.state;
  };
  return {
    get workspace() {
      return live.current.workspace;
    },
    isWorkspaceCurrent: () => ports.specGuard.isIntact(),
    packs: createPackReloads({live, run, reloader}),
    inheritTaint: (command) => transition((kernel) => inheritTaint(kernel, command)),
    createTask: (spec, {by: actor = 'host', person, inherits = false} = {}) =>
      transition((kernel) => createTask(kernel, spec, {actor, person, ...(inherits && {author: actor})})),
    amendTask: (command) => transition((kernel) => amendTask(kernel, command)),
    cancelTask: (command) => transition((kernel) => cancelTask(kernel, command)),
    claimTask: (command) => transition((kernel) => claimTask(kernel, command, transitionCheckCall(kernel, callTool))),
    blockTask: (command) => transition((kernel) => changeRun(kernel, 'block', command)),
    unblockTask: (command) => transition((kernel) => changeRun(kernel, 'unblock', {...command, reason: ''})),
    releaseTask: (command) => transition((kernel) => changeRun(kernel, 'release', command)),
    completeTask: (command) =>
      transition((kernel) => completeTask(kernel, command, transitionCheckCall(kernel, callTool))),
    inspectTask: (taskId) =>
      transition(async (kernel) => {
        await ports.events.refresh();
        return await viewTask(kernel, taskId);
      }),
    listTasks: (filter) => listTasks(fresh().tasks, filter),
    listHeldTasks: (sessionId) => fresh().claimedBy(sessionId),
    explainTransition: (supposed) => transition((kernel) => explainTransition(kernel, supposed)),
    executeTool: (name, input, context) => run((kernel) => callTool(kernel, {name, input, context})),
    listGovernedTools: (context, among) => run((kernel) => listGovernedTools(kernel, context, among)),
    writesOf: (tool) => usualWrites(live.current, tool),
    explainTool: (name, input, context, at) => run((kernel) => explainTool(kernel, {name, input, context, at})),
    requestApproval: (request) => transition((kernel) => requestApproval(kernel, request)),
    resolveApproval: (resolution) => transition((kernel) => resolveApproval(kernel, resolution)),
    withdrawApproval: (withdrawal) => transition((kernel) => withdrawApproval(kernel, withdrawal)),
    listApprovals: (filter) => listApprovals(fresh(), live.current.lifetimes, filter),
    people: peopleOf(first, lifecycle, fresh),
    notifications: notificationsOf(live, lifecycle, fresh),
    changes: changesOf(lifecycle),
    evidence: evidenceOf(ports, lifecycle, fresh),
    refresh: () => run(async () => await ports.events.refresh()),
    checkWritable: () => run(async () => await (ports.checkWritable?.() ?? ports.events.refresh())),
    events: eventsOf(ports.events, lifecycle),
    close: lifecycle.close,
  };
}

function eventsOf(events: EventLog, {run}: Lifecycle): KernelRuntime['events'] {
  return {
    read: (filter = {}) =>
      run(async () => {
        await events.refresh();
        const {after_seq, limit, types, task_id} = filter;
        const takesAll = types === undefined && task_id === undefined;
        const found = await events.read({afterSeq: after_seq, limit: takesAll ? limit : undefined});
        return found.filter((event) => matches(event, filter)).slice(0, limit ?? found.length);
      }),
    subscribe(filter, listener) {
      const subscribing = events.onEvent((event) => {
        if (matches(event, filter)) notifyListener(listener, event);
      }, filter.after_seq);
      return () => void (isPromise(subscribing) ? subscribing.then((end) => end()) : subscribing());
    },
  };
}

function changesOf({run, transition}: Lifecycle): RuntimeChanges {
  const current = async (kernel: Kernel): Promise<void> => {
    await kernel.ports.events.refresh();
    await reconcileParked(kernel);
  };
  return {
    list: () =>
      run(async (kernel) => {
        await current(kernel);
        return await listKept(kernel);
      }),
    of: (receiptId) =>
      run(async (kernel) => {
        await current(kernel);
        return await viewChanges(kernel, receiptId);
      }),
    apply: (command) => transition((kernel) => answerKept(kernel, {...command, intent: 'apply'})),
    discard: (command) => transition((kernel) => answerKept(kernel, {...command, intent: 'discard'})),
  };
}

function matches(event: KernelEvent, {types, task_id}: EventFilter): boolean {
  if (types && !types.includes(event.type)) return false;
  return task_id === undefined || ('task_id' in event && event.task_id === task_id);
}
