// Which files a call acts on: those of its work unit's worktree, or those of the person's own checkout. No call falls through to
// the checkout. A session with a blocked work unit gets an error. While there is open work, a call must confirm that it writes to
// the checkout.
import {isHeldBy} from '../claims/lease.ts';
import {isToolError, ToolError, type ScopedFileSystem, type ToolContext} from '@lumenflow/pack-sdk';
import {createDeliveryLog} from '../events/delivery-log.ts';
import {compileGlob} from '../files/match-glob.ts';
import {codePathPattern} from '../overlaps/code-path-pattern.ts';
import type {PackConfig} from '../pack-config.ts';
import {workUnitSlice, type WorkUnits} from '../work-units/work-unit-slice.ts';
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
  if (rooted !== context) {
    return {context: {...rooted, fs: explained(rooted.fs, context)}, root: worktreePath(context.task_id) ?? '.'};
  }
  const state = await readUnits(context);
  mustNotFallThrough(state, context);
  if (!meant && !isFreeLane(context)) mustHaveNoOpenWork(state);
  return {context, root: '.'};
}

/** A write outside the code paths fails with the steps that allow it. */
function explained(fs: ScopedFileSystem, context: CheckoutContext): ScopedFileSystem {
  const explain = async <T>(path: string, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!isToolError(error) || error.code !== 'SCOPE_DENIED') throw error;
      const {units} = await readUnits(context);
      const id = context.task_id;
      const patterns = units[id]?.spec.code_paths.map((each) => compileGlob(`/${codePathPattern(each)}`));
      if (patterns === undefined || patterns.some((matches) => matches(path))) throw error;
      const help = 'call `wu:release`, then `wu:edit` with the new `code_paths`, and claim the work unit again';
      const message = `\`${path}\` is not among the code paths of \`${id}\`: to add it, ${help}`;
      throw new ToolError('SCOPE_DENIED', message, {...error.details, help, id, path});
    }
  };
  return {
    ...fs,
    write: async (path, content, options) => await explain(path, fs.write(path, content, options)),
    remove: async (path) => await explain(path, fs.remove(path)),
  };
}

async function readUnits(context: CheckoutContext): Promise<WorkUnits> {
  return await createDeliveryLog(context, {slices: [workUnitSlice]}).read(workUnitSlice);
}

function mustNotFallThrough({units}: WorkUnits, {session_id, task_id}: CheckoutContext): void {
  if (Object.hasOwn(units, task_id) && units[task_id]?.status !== 'done') {
    const message = `the worktree of \`${task_id}\` is gone: release the work unit and claim it again`;
    throw new ToolError('NO_WORKTREE', message, {id: task_id});
  }
  const blocked = Object.values(units).find(({lease, status}) => status === 'blocked' && isHeldBy(lease, session_id));
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
