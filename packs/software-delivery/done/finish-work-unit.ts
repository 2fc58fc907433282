// Finishes a prepared work unit in steps that are recorded as they become true: validated, gated, merged, recorded, cleaned.
// After a crash, calling it again resumes after the last recorded step. Each repository write is a separate call, so it is in the
// workspace before the log says so.
import {isToolError, ToolError} from '@lumenflow/pack-sdk';
import {requireHolder} from '../claims/lease.ts';
import {actorStampOf} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import type {Slice} from '../events/slice.ts';
import {mainBranch} from '../git/main-branch.ts';
import type {LaneEvent} from '../lane-locks/lane-event.ts';
import {findWorkUnit} from '../work-units/find-work-unit.ts';
import {kernelTasks} from '../work-units/kernel-tasks.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import {workUnitSlice, type WorkUnits} from '../work-units/work-unit-slice.ts';
import type {WuEvent} from '../work-units/wu-event.ts';
import {listWorktrees} from '../worktrees/list-worktrees.ts';
import {callOrThrow, failureOf} from '../nested-calls/call-or-throw.ts';
import {recordCleaned, removeWork} from './clean-up.ts';
import {checkWork, readWork, type DoneContext} from './check-work.ts';
import type {DoneEvent} from './done-event.ts';
import {doneSlice, type DoneProgress} from './done-slice.ts';
import {isOnMain} from './is-on-main.ts';
import {gateMerge, type Landing} from './merge-gated.ts';
import type {CheckoutUpdate} from './update-checkout.ts';

export interface DoneRequest {
  readonly id: string;
  readonly lease_token: number;
  readonly resolved: readonly string[];
}

export interface Finished {
  readonly unit: WorkUnit;
  /** The main branch's former commit. */
  readonly onto: string;
  readonly commit: string;
  readonly tree_hash: string;
  readonly config_hash: string;
  readonly gates_receipt_id: string;
  /** The person's own checkout, if it has the main branch checked out. */
  readonly checkout?: CheckoutUpdate;
  /** Why worktree and branch were not removed; absent if they were. */
  readonly left?: string;
}

/** Number of times that another merge may be faster before the call fails. */
const attemptsMax = 5;

/** The slice on which all steps are decided, so that a holder that lost its lease records nothing. */
const units: Slice<WorkUnits, WuEvent | LaneEvent | DoneEvent> = workUnitSlice;

/** Throws ToolErrors of the lease, of `checkWork`, of `gateMerge` and of the kernel, and MAIN_CONTENDED. */
export async function finishWorkUnit(context: DoneContext, log: DeliveryLog, request: DoneRequest): Promise<Finished> {
  const saga: Saga = {context, log, request, main: await mainBranch(context, context.config)};
  const merged = await mergeOnce(saga);
  // Both happen before the task ends, because afterwards no call can be made in it.
  const checkout = await updateOrSay(saga, merged);
  const left = await removeOrSay(saga);
  await recordOnce(saga, merged.commit);
  const {unit} = await readSaga(saga);
  if (left === undefined) await recordCleaned(context, log, unit);
  const {onto, commit, tree_hash, config_hash, receipt_id: gates_receipt_id} = merged;
  return {
    unit,
    onto,
    commit,
    tree_hash,
    config_hash,
    gates_receipt_id,
    ...(checkout && {checkout}),
    ...(left !== undefined && {left}),
  };
}

interface Saga {
  readonly context: DoneContext;
  readonly log: DeliveryLog;
  readonly request: DoneRequest;
  readonly main: string;
}

type Merged = NonNullable<DoneProgress['gated']>;

async function readSaga({log, request: {id}}: Saga): Promise<{unit: WorkUnit; progress: DoneProgress | undefined}> {
  const unit = findWorkUnit(await log.read(workUnitSlice), id);
  return {unit, progress: (await log.read(doneSlice))[id]};
}

async function mergeOnce(saga: Saga): Promise<Merged> {
  const {unit, progress} = await readSaga(saga);
  if (unit.status !== 'done') await assertLease(saga);
  const {gated, stage} = progress ?? {};
  if (gated !== undefined && stage === 'recorded') return gated;
  if (gated !== undefined && (await isOnMain(saga.context, gated.commit))) {
    // Crashed after the branch was moved, before that was recorded.
    if (stage === 'gated') await journal(saga, {type: 'done_merged'});
    return gated;
  }
  if (unit.status === 'done') throw new ToolError('WU_DONE', `\`${unit.spec.id}\` is done`, {id: unit.spec.id});
  return await validateAndMerge(saga, unit);
}

async function validateAndMerge(saga: Saga, unit: WorkUnit): Promise<Merged> {
  const {context, request, main} = saga;
  const {id, resolved} = request;
  const work = await readWork(context, unit);
  await checkWork(context, work, unit);
  await journal(saga, {type: 'done_validated', head: work.head});
  const landing: Landing = {id, title: unit.spec.title, head: work.head, main, resolved};
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const gated = await gateMerge(context, landing);
    // Gates take time. A session that lost the work unit in between must not move anything.
    await journal(saga, {type: 'done_gated', ...gated});
    if (await mergeGated(saga, gated)) {
      await journal(saga, {type: 'done_merged'});
      return gated;
    }
  }
  throw new ToolError('MAIN_CONTENDED', `\`${main}\` moved ${attemptsMax} times during the merge: try again`, {
    branch: main,
  });
}

/** False if the main branch or its files were changed concurrently. */
async function mergeGated({context, request: {id, lease_token}}: Saga, {commit}: Merged): Promise<boolean> {
  const {success, data, error} = await context.callTool('wu:merge', {id, lease_token});
  if (error?.code === 'WRITE_CONFLICT') return false;
  if (!success) throw failureOf('wu:merge', error);
  if (!(data as {readonly moved: boolean}).moved) return false;
  // If a dry run or a caller withholds the writes, nothing was merged.
  if (await isOnMain(context, commit)) return true;
  throw new ToolError('NOT_MERGED', `\`${id}\` is ready, but its merge was not applied`, {id, commit});
}

async function updateOrSay({context, main}: Saga, {onto, commit}: Merged): Promise<CheckoutUpdate | undefined> {
  const own = (await listWorktrees(context)).find(({path}) => path === '.');
  if (own?.branch !== main) return undefined;
  const {success, data, error} = await context.callTool('wu:update-checkout', {onto, commit});
  return success ? (data as CheckoutUpdate) : {updated: false, reason: error?.message ?? 'it failed'};
}

async function recordOnce(saga: Saga, commit: string): Promise<void> {
  const {context, log, request} = saga;
  const {id, lease_token: token} = request;
  const {unit} = await readSaga(saga);
  if (unit.status === 'done') return;
  await assertLease(saga);
  const task = await kernelTasks(context).find(id);
  if (task?.state !== 'done') await callOrThrow(context, 'kernel:complete-task', {task_id: id});
  await log.decide(units, (state) => {
    const completed = {type: 'wu_completed' as const, ...actorStampOf(context), id, token, commit};
    return {events: findWorkUnit(state, id).status === 'done' ? [] : [completed], result: undefined};
  });
}

/** Returns why worktree and branch are left. The work is merged, so this does not prevent the completion. */
async function removeOrSay(saga: Saga): Promise<string | undefined> {
  const {unit} = await readSaga(saga);
  try {
    await removeWork(saga.context, saga.log, unit);
    return undefined;
  } catch (error) {
    if (!isToolError(error)) throw error;
    return `\`${unit.worktree ?? ''}\` is left: ${error.message}. Run \`lumenflow doctor --fix\` to remove it`;
  }
}

/** Requires the session that claimed the work unit, and the token of its lease. */
async function assertLease({context, log, request: {id, lease_token: token}}: Saga): Promise<void> {
  requireHolder(await log.read(workUnitSlice), id, {token, session_id: context.session_id});
}

type Step<Event> = Event extends DoneEvent ? Omit<Event, 'id' | 'at' | 'by'> : never;

async function journal({context, log, request}: Saga, step: Step<DoneEvent>): Promise<void> {
  const {id, lease_token: token} = request;
  await log.decide(units, (state) => {
    requireHolder(state, id, {token, session_id: context.session_id});
    return {events: [{...step, ...actorStampOf(context), id}], result: undefined};
  });
}
