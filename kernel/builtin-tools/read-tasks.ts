// The kernel's own tools that read: tasks and approvals of the calling pack's types, calls of one such task, and lanes.
import type {Kernel} from '../context/kernel.ts';
import type {StandingApproval} from '../approvals/approval-record.ts';
import {evidenceDataLengthMax} from '../limits.ts';
import type {EvidenceFilter, EvidencePage, Receipt} from '../ports.ts';
import {countsTowardsWip} from '../tasks/counts-towards-wip.ts';
import {isInProgress} from '../tasks/is-in-progress.ts';
import type {TaskRecord} from '../tasks/task-record.ts';
import {succeed, type TransitionResult} from '../transition.ts';
import {viewTask, type TaskView} from '../transitions/view-task.ts';
import {findOwnTask, isOwn, type Caller} from './caller.ts';
import {lastActive} from './last-active.ts';

export async function showOwnTask(
  kernel: Kernel,
  caller: Caller,
  {task_id}: {readonly task_id: string},
): Promise<TransitionResult<TaskView>> {
  const own = findOwnTask(kernel, caller, task_id);
  return own.success ? await viewTask(kernel, task_id) : own;
}

export interface TaskQuery {
  readonly task_ids?: readonly string[];
  readonly lane_id?: string;
  readonly states?: readonly TaskRecord['state'][];
  readonly held_by?: string;
  readonly with_activity?: boolean;
  readonly limit?: number;
  readonly after?: string;
}

export interface TaskPage {
  /** `active_at`: only with `with_activity`, from `lastActive`. */
  readonly tasks: readonly (TaskRecord & {readonly active_at?: string})[];
  /** Of all pages. */
  readonly total: number;
  readonly next_after?: string;
}

export async function listOwnTasks(
  kernel: Kernel,
  {pack}: Caller,
  {task_ids, limit = 100, after, with_activity = false, ...filter}: TaskQuery,
): Promise<TransitionResult<TaskPage>> {
  const {state} = kernel;
  const asked = task_ids?.flatMap((id) => state.tasks.get(id) ?? []) ?? [...state.tasks.values()];
  const matching = (tasks: readonly TaskRecord[]): readonly TaskRecord[] =>
    tasks.filter((task) => isOwn(pack, task) && matches(task, filter));
  // No task ever leaves the state, so the end of the page before has its place among all of them.
  const behind = matching(asked.slice(asked.findIndex(({task_id}) => task_id === after) + 1));
  const tasks = behind.slice(0, limit);
  const last = tasks.at(-1);
  const activity = with_activity ? await lastActive(kernel, tasks) : new Map<string, string>();
  return succeed({
    tasks: tasks.map((task) => withActivity(task, activity.get(task.task_id))),
    total: matching(asked).length,
    ...(last && behind.length > limit && {next_after: last.task_id}),
  });
}

function withActivity(task: TaskRecord, active_at: string | undefined): TaskPage['tasks'][number] {
  return active_at === undefined ? task : {...task, active_at};
}

function matches(task: TaskRecord, {lane_id, states, held_by}: TaskQuery): boolean {
  if (lane_id !== undefined && task.lane_id !== lane_id) return false;
  if (states !== undefined && !states.includes(task.state)) return false;
  return held_by === undefined || (isInProgress(task) && task.run?.session_id === held_by);
}

export interface ApprovalQuery {
  readonly task_id?: string;
  readonly states?: readonly StandingApproval['state'][];
  readonly limit?: number;
}

export function listOwnApprovals(
  {lifetimes, state}: Kernel,
  {pack}: Caller,
  {task_id, states, limit = 100}: ApprovalQuery,
): TransitionResult<{readonly approvals: readonly object[]; readonly total: number}> {
  const matching = [...state.approvals.values()]
    .filter(({subject}) => task_id === undefined || subject.task_id === task_id)
    .filter(({subject}) => isOwn(pack, state.tasks.get(subject.task_id) ?? {}))
    .map((approval) => approvalRow(lifetimes.approval(approval)))
    .filter((approval) => states === undefined || states.includes(approval.state));
  return succeed({approvals: matching.toReversed().slice(0, limit), total: matching.length});
}

function approvalRow(approval: StandingApproval) {
  const {binding: _binding, subject, input_ref: _input, rules: _rules, ...rest} = approval;
  const {self_approval: _self, inband: _inband, channel: _channel, preview: _preview, ...facts} = rest;
  const {kind, task_id, session_id, tool_name} = subject;
  return {...facts, kind, task_id, session_id, ...(tool_name !== undefined && {tool_name})};
}

export interface EvidenceQuery extends Omit<EvidenceFilter, 'session_id'> {
  /** Default: all tasks of the pack. */
  readonly task_id?: string;
  readonly with_data?: boolean;
}

export interface OwnEvidencePage {
  readonly receipts: readonly object[];
  readonly next_before_seq?: number;
}

/** The output's data, when there is any and it is small. */
async function readData({ports}: Kernel, {finished}: Receipt): Promise<unknown> {
  if (finished?.result !== 'success' || finished.output_ref === undefined) return undefined;
  const text = await ports.contents.get(finished.output_ref);
  return text === undefined || text.length > evidenceDataLengthMax ? undefined : JSON.parse(text);
}

export async function listOwnEvidence(
  kernel: Kernel,
  caller: Caller,
  {with_data = false, limit = 50, ...filter}: EvidenceQuery,
): Promise<TransitionResult<OwnEvidencePage>> {
  if (filter.task_id !== undefined) {
    const own = findOwnTask(kernel, caller, filter.task_id);
    if (!own.success) return own;
  }
  const {receipts, next_before_seq} =
    filter.task_id === undefined
      ? await readAllOwn(kernel, caller, {...filter, limit})
      : await kernel.ports.evidence.read({...filter, limit});
  const rows = await Promise.all(
    receipts.map(async (receipt) => {
      const data = with_data ? await readData(kernel, receipt) : undefined;
      return {...receiptRow(receipt), ...(data !== undefined && {data})};
    }),
  );
  return succeed({receipts: rows, ...(next_before_seq !== undefined && {next_before_seq})});
}

/** Pages that are searched for calls in tasks of the pack. */
const searchedPages = 20;
const searchedAtOnce = 200;

async function readAllOwn(
  {ports, state}: Kernel,
  {pack}: Caller,
  filter: EvidenceFilter & {readonly limit: number},
): Promise<EvidencePage> {
  const receipts: Receipt[] = [];
  let {before_seq} = filter;
  for (let page = 0; page < searchedPages; page += 1) {
    const read = await ports.evidence.read({
      ...filter,
      limit: searchedAtOnce,
      ...(before_seq !== undefined && {before_seq}),
    });
    for (const receipt of read.receipts) {
      const task = state.tasks.get(receipt.started.task_id);
      if (task === undefined || !isOwn(pack, task)) continue;
      receipts.push(receipt);
      if (receipts.length === filter.limit) return {receipts, next_before_seq: receipt.started.seq};
    }
    before_seq = read.next_before_seq;
    if (before_seq === undefined) return {receipts};
  }
  return {receipts, ...(before_seq !== undefined && {next_before_seq: before_seq})};
}

function receiptRow({receipt_id, started, finished}: Receipt): object {
  const {task_id, parent_receipt_id, tool_name, session_id, run_id, input_hash} = started;
  const {output_hash, error_code, error_message, artifacts_written} = finished ?? {};
  return {
    receipt_id,
    task_id,
    tool_name,
    session_id,
    run_id,
    result: finished?.result ?? 'open',
    started_at: started.timestamp,
    started_seq: started.seq,
    ...(finished && {finished_seq: finished.seq, duration_ms: finished.duration_ms}),
    ...(parent_receipt_id !== undefined && {parent_receipt_id}),
    ...(input_hash !== undefined && {input_hash}),
    ...(output_hash !== undefined && {output_hash}),
    ...(error_code !== undefined && {error_code}),
    ...(error_message !== undefined && {error_message}),
    ...(artifacts_written && {artifacts_written}),
  };
}

export function showWorkspace({state, workspace}: Kernel, {pack}: Caller): TransitionResult<object> {
  const {id, name, lanes, security} = workspace.spec;
  const inProgress = new Map<string, string[]>(lanes.map((lane) => [lane.id, []]));
  for (const task of state.tasks.open()) if (countsTowardsWip(task)) inProgress.get(task.lane_id)?.push(task.task_id);
  return succeed({
    id,
    ...(name !== undefined && {name}),
    lanes: lanes.map((lane) => ({
      id: lane.id,
      ...(lane.title !== undefined && {title: lane.title}),
      ...(lane.wip_limit !== undefined && {wip_limit: lane.wip_limit}),
      allowed_scopes: lane.allowed_scopes,
      in_progress: inProgress.get(lane.id) ?? [],
    })),
    allowed_scopes: security.allowed_scopes,
    task_types: pack.manifest.task_types,
  });
}
