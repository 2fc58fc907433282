// Which files a call acts on: those of its work unit's worktree, or those of the person's own checkout. No call falls through to
// the checkout. A session with a blocked work unit gets an error. While there is open work, a call must confirm that it writes to
// the checkout.
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {createDeliveryLog} from '../events/delivery-log.ts';
import type {PackConfig} from '../pack-config.ts';
import {workUnits, type WorkUnits} from '../work-units/work-units.ts';
import {inWorkTree} from '../worktrees/in-work-tree.ts';
import {worktreePath} from '../worktrees/worktree-place.ts';

type CheckoutContext = Pick<
  ToolContext,
  'exec' | 'fs' | 'lane_id' | 'log' | 'session_id' | 'state' | 'task_id' | 'workspace_root'
> & {readonly config?: unknown};

export interface WritableCheckout<Context> {
  readonly context: Context;
  /** Relative to the workspace root; `.` is the person's own checkout. */
  readonly root: string;
}

/** The call's context at its root. Throws ToolErrors WU_BLOCKED and NO_WORKTREE. */
export async function inCheckout<Context extends CheckoutContext>(context: Context): Promise<Context> {
  const rooted = await inWorkTree(context);
  if (rooted === context) mustNotFallThrough(await readUnits(context), context);
  return rooted;
}

/**
 * For calls that write. `meant`: the call confirms that it writes to the person's checkout. Throws the errors of `inCheckout`,
 * and OUTSIDE_WORK_UNIT.
 */
export async function inWritableCheckout<Context extends CheckoutContext>(
  context: Context,
  meant = false,
): Promise<WritableCheckout<Context>> {
  const rooted = await inWorkTree(context);
  if (rooted !== context) return {context: rooted, root: worktreePath(context.task_id) ?? '.'};
  const state = await readUnits(context);
  mustNotFallThrough(state, context);
  if (!meant && !isFreeLane(context)) mustHaveNoOpenWork(state);
  return {context, root: '.'};
}

async function readUnits(context: CheckoutContext): Promise<WorkUnits> {
  return await createDeliveryLog(context, {slices: [workUnits]}).read(workUnits);
}

function mustNotFallThrough({units}: WorkUnits, {session_id, task_id}: CheckoutContext): void {
  if (Object.hasOwn(units, task_id) && units[task_id]?.status !== 'done') {
    const message = `the worktree of \`${task_id}\` is gone: release the work unit and claim it again`;
    throw new ToolError('NO_WORKTREE', message, {id: task_id});
  }
  const blocked = Object.values(units).find(
    ({lease, status}) => status === 'blocked' && lease?.session_id === session_id,
  );
  if (blocked === undefined) return;
  const {id} = blocked.spec;
  const reason = blocked.blocked_reason === undefined ? '' : ` (${blocked.blocked_reason})`;
  const message = `the work unit \`${id}\` of this session is blocked${reason}: call \`wu:unblock\` to continue, or \`wu:release\` to release it`;
  throw new ToolError('WU_BLOCKED', message, {id});
}

function isFreeLane({config, lane_id}: CheckoutContext): boolean {
  return (config as PackConfig)?.main_checkout?.lanes.includes(lane_id) === true;
}

function mustHaveNoOpenWork({units}: WorkUnits): void {
  const open = Object.values(units).find(({status}) => status !== 'done');
  if (open === undefined) return;
  const message =
    'this call is outside a work unit, so it would change your own checkout: claim a work unit with `wu:claim`, ' +
    'pass `main_checkout: true`, or list the lane in `software_delivery.main_checkout.lanes` of workspace.yaml';
  throw new ToolError('OUTSIDE_WORK_UNIT', message, {open_work_unit: open.spec.id});
}
