// A claim from end to end: lease, worktree, kernel task. The lease comes first, so only one of many claimants continues. A later
// failure releases the lease. After a crash, claiming again finishes the claim.
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {callUntilApplied} from '../nested-calls/call-or-throw.ts';
import {actorStampOf, type EventStamp} from '../events/delivery-event.ts';
import type {Decision, DeliveryLog} from '../events/delivery-log.ts';
import type {PackConfig} from '../pack-config.ts';
import {checkLane} from '../work-units/check-lane.ts';
import {findWorkUnit} from '../work-units/find-work-unit.ts';
import {kernelTasks} from '../work-units/kernel-tasks.ts';
import {readSoundSpec, type SoundSpecFile} from '../work-units/spec-files.ts';
import {laneBranch} from '../work-units/spec-place.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import type {WuEvent} from '../work-units/wu-event.ts';
import {workUnitSlice, type WorkUnits} from '../work-units/work-unit-slice.ts';
import {worktreesFolder} from '../worktrees/worktree-place.ts';
import {decideClaim, type Claim} from './decide-claim.ts';
import {isHeldBy, leaseTtlMs} from './lease.ts';
import {findActiveHolders} from './signs-of-life.ts';

export type ClaimContext = Pick<ToolContext<PackConfig>, 'callTool' | 'config' | 'fs' | 'session_id' | 'state' | 'log'>;

/** The output of `wu:check-out`. */
export interface CheckOut {
  readonly worktree: string;
  readonly branch: string;
  /** The commit that the branch started from. */
  readonly base: string;
  /**
   * Files that programs outside the sandbox trust. They are in the commit but not in the worktree. Absent if the worktree already
   * existed.
   */
  readonly left_out?: readonly string[];
}

export interface ClaimedWorkUnit extends CheckOut {
  readonly claim: Claim;
  readonly file: SoundSpecFile;
}

/** Throws ToolErrors of `decideClaim`, SPEC_CHANGED, and those of the worktree and the kernel. */
export async function claimWorkUnit(
  context: ClaimContext,
  log: DeliveryLog,
  id: string,
  /** Runs last, so that other clones do not learn of a claim that the kernel rejects. If it fails, the claim is released. */
  announce: () => Promise<void> = async () => {},
): Promise<ClaimedWorkUnit> {
  const tasks = kernelTasks(context);
  const {unit, file, decide} = await planClaim(context, log, id);
  const task = await tasks.find(id);
  if (task === undefined) await tasks.create(file.spec);
  // Another clone may have edited the spec.
  else if (task.state === 'ready' && context.config?.sync !== undefined) await tasks.amend(file.spec);
  const claim = await log.decide(workUnitSlice, decide);
  const held = {id, stamp: actorStampOf(context), token: claim.lease.token};
  try {
    const place = await checkOutFor(context, log, {unit, file, held});
    await announce();
    return {...place, claim, file};
  } catch (error) {
    if (!claim.resumed) await giveBack(context, log, held, error);
    throw error;
  }
}

export interface PlannedClaim {
  readonly unit: WorkUnit;
  readonly file: SoundSpecFile;
  readonly branch: string;
  readonly worktree: string;
  decide(state: WorkUnits): Decision<WuEvent, Claim>;
}

/** What a claim would decide on the log. Throws ToolErrors WU_NOT_FOUND, WU_DONE, LANE_UNKNOWN, SPEC_CHANGED and those of the spec. */
export async function planClaim(context: ClaimContext, log: DeliveryLog, id: string): Promise<PlannedClaim> {
  const unit = findWorkUnit(await log.read(workUnitSlice), id);
  // Its spec file can be missing here if another clone finished it.
  if (unit.status === 'done') throw new ToolError('WU_DONE', `\`${id}\` is done`, {id});
  const {lane} = unit.spec;
  const file = await readRecordedSpec(context, unit);
  const {wip_limit: limit} = checkLane(await kernelTasks(context).lanes(), lane);
  const prolong = await findActiveHolders(context, [unit]);
  const request = {
    ...actorStampOf(context),
    id,
    ttl_ms: leaseTtlMs(context.config),
    wip_limit: limit,
    branch: laneBranch(lane, id),
    worktree: `${worktreesFolder}/${id.toLowerCase()}`,
  };
  const {branch, worktree} = request;
  return {unit, file, branch, worktree, decide: (state) => decideClaim(prolong(state), request)};
}

interface Taking {
  readonly unit: WorkUnit;
  readonly file: SoundSpecFile;
  readonly held: HeldClaim;
}

/** The kernel's claim comes last: from then on, the session's calls are limited to the work unit's files. */
async function checkOutFor(context: ClaimContext, log: DeliveryLog, {unit, file, held}: Taking): Promise<CheckOut> {
  const tasks = kernelTasks(context);
  const {id, stamp} = held;
  const {branch, worktree, base, spec} = unit;
  const holder = (await tasks.find(id))?.holder;
  if (holder === stamp.by && branch !== undefined && worktree !== undefined && base !== undefined) {
    return {branch, worktree, base};
  }
  if (holder !== undefined) await tasks.release(id, `the lease of session \`${holder}\` expired`, holder);
  const input = {id, branch: laneBranch(spec.lane, id), spec: file.path};
  const checkOut = (await callUntilApplied(context, 'wu:check-out', input)) as CheckOut;
  await recordStart(log, held, checkOut.base);
  await tasks.claim(id);
  return checkOut;
}

/** Throws ToolErrors SPEC_CHANGED and those of `readSoundSpec`. */
async function readRecordedSpec(
  context: ClaimContext,
  {spec: {id}, spec_hash: recorded}: WorkUnit,
): Promise<SoundSpecFile> {
  const file = await readSoundSpec(context, id);
  if (file.hash === recorded) return file;
  const message = `\`${file.path}\` differs from its record: run \`wu:edit\` with only the id to record it`;
  throw new ToolError('SPEC_CHANGED', message, {id, path: file.path});
}

interface HeldClaim {
  readonly id: string;
  readonly stamp: EventStamp;
  readonly token: number;
}

async function recordStart(log: DeliveryLog, {id, stamp, token}: HeldClaim, base: string): Promise<void> {
  await log.decide(workUnitSlice, ({units}) => {
    const event = {type: 'wu_started' as const, ...stamp, id, token, base};
    return {events: units[id]?.base === base ? [] : [event], result: undefined};
  });
}

async function giveBack(
  context: ClaimContext,
  log: DeliveryLog,
  {id, stamp, token}: HeldClaim,
  error: unknown,
): Promise<void> {
  const reason = `the claim failed: ${error instanceof Error ? error.message : String(error)}`;
  const tasks = kernelTasks(context);
  if ((await tasks.find(id))?.holder === stamp.by) await tasks.release(id, reason, stamp.by);
  await log.decide(workUnitSlice, (state) => {
    const lease = state.units[id]?.lease;
    // Another clone can have given the same token to its own session.
    const isMine = lease?.token === token && isHeldBy(lease, stamp.by);
    return {events: isMine ? [{type: 'wu_released' as const, ...stamp, id, token, reason}] : [], result: undefined};
  });
}
