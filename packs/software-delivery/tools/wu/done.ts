// wu:done: merges a work unit's branch, gated as it lands, completes its task and cleans up; killed anywhere it is called again.
import {defineTool, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {requireHolder} from '../../claims/lease.ts';
import {openDeliveryLog} from '../../delivery-log.ts';
import {checkWork, readWork} from '../../done/check-work.ts';
import {finishWorkUnit} from '../../done/finish-work-unit.ts';
import {planMerge} from '../../done/merge-gated.ts';
import {untrackedInWay, updateCommand} from '../../done/untracked-in-way.ts';
import type {MovedBranch} from '../../done/moved-branch.ts';
import type {CheckoutUpdate} from '../../done/update-checkout.ts';
import {mainBranch} from '../../git/main-branch.ts';
import type {PackConfig} from '../../pack-config.ts';
import {workUnits} from '../../work-units/work-units.ts';
import {atRoot} from '../../worktrees/in-work-tree.ts';
import {listWorktrees} from '../../worktrees/list-worktrees.ts';

interface WuDoneInput {
  readonly id: string;
  readonly lease_token: number;
  /** Paths in conflict of which the work unit's version is the result. */
  readonly resolved?: readonly string[];
  /** Checks the work and the merge, and changes nothing. */
  readonly dry_run?: boolean;
}

interface WuDoneOutput {
  readonly id: string;
  readonly main_branch: string;
  /** What the main branch was moved to; with `dry_run`, would be. */
  readonly commit: string;
  /** The work unit is done: what was merged, by which gates. */
  readonly stamp?: {
    readonly completed_at: string;
    readonly tree_hash: string;
    readonly config_hash: string;
    readonly gates_receipt_id: string;
  };
  /** Where the main branch is checked out. */
  readonly checkouts?: readonly Checkout[];
  readonly cleaned: boolean;
  /** Why something is left, and what removes it. */
  readonly left?: string;
  /** What a person should do now, when a checkout of the main branch was left as it is. */
  readonly behind?: string;
  readonly dry_run: boolean;
}

interface Checkout {
  /** Relative to the workspace root. */
  readonly path: string;
  /** Its files are those of the commit. Otherwise they are as they were, and git takes them for changed back. */
  readonly updated: boolean;
  readonly reason?: string;
  /** A command that brings it up to date and keeps what is changed there. */
  readonly update?: string;
}

export const wuDone: ToolDefinition<WuDoneInput, WuDoneOutput, PackConfig> = defineTool({
  async run({id, lease_token, resolved = [], dry_run = false}, context) {
    const log = openDeliveryLog(context);
    const main = await mainBranch(context, context.config);
    if (dry_run) {
      const unit = requireHolder(await log.read(workUnits), id, {token: lease_token, session_id: context.session_id});
      const work = await readWork(context, unit);
      await checkWork(context, work, unit);
      const {commit} = await planMerge(context, {id, title: unit.spec.title, head: work.head, main, resolved});
      return {id, main_branch: main, commit, cleaned: false, dry_run};
    }
    const finished = await finishWorkUnit(context, log, {id, lease_token, resolved});
    const {unit, onto, commit, left, checkout, ...stamp} = finished;
    const checkouts: Checkout[] = [];
    for (const {path, branch, missing} of await listWorktrees(context)) {
      if (branch !== main || missing === true) continue;
      checkouts.push(
        await describeCheckout(context, path, {onto, commit, ...(path === '.' && checkout && {update: checkout})}),
      );
    }
    const behind = behindOf(checkouts, main);
    return {
      id,
      main_branch: main,
      commit,
      stamp: {completed_at: unit.since, ...stamp},
      checkouts,
      cleaned: left === undefined,
      ...(left !== undefined && {left}),
      ...(behind !== undefined && {behind}),
      dry_run,
    };
  },
});

interface Moved extends MovedBranch {
  readonly update?: CheckoutUpdate;
}

async function describeCheckout(
  context: ToolContext<PackConfig>,
  path: string,
  {update, ...moved}: Moved,
): Promise<Checkout> {
  if (update?.updated === true) return {path, updated: true};
  const untracked = await untrackedInWay(path === '.' ? context : atRoot(context, path), moved);
  const command = updateCommand(moved, untracked);
  return {path, updated: false, ...(update?.reason !== undefined && {reason: update.reason}), update: command};
}

/** On lines of its own, so that nothing cuts it. */
function behindOf(checkouts: readonly Checkout[], main: string): string | undefined {
  const left = checkouts.filter(({updated}) => !updated);
  if (left.length === 0) return undefined;
  const commands = left.map(({path, update = ''}) => (path === '.' ? update : `cd ${path} && ${update}`));
  return [
    `\`${main}\` has moved, but a checkout of it has not. A commit there would revert this work. Run first:`,
    ...commands,
  ].join('\n');
}
