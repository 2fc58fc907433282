// wu:done: merges a work unit's branch, gated as it lands, completes its task and cleans up; killed anywhere it is called again.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {requireLease} from '../../claims/lease.ts';
import {openDeliveryLog} from '../../delivery-log.ts';
import {checkWork, readWork} from '../../done/check-work.ts';
import {finishWorkUnit} from '../../done/finish-work-unit.ts';
import {planMerge} from '../../done/merge-gated.ts';
import {mainBranch} from '../../git/main-branch.ts';
import type {PackConfig} from '../../pack-config.ts';
import {workUnits} from '../../work-units/work-units.ts';
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
  /** Where the main branch is checked out: the files there are as they were, so that git takes them for changed back. */
  readonly checkouts?: readonly {
    /** Relative to the workspace root. */
    readonly path: string;
    /** A command that brings it up to date and keeps what is changed there. */
    readonly update: string;
  }[];
  readonly cleaned: boolean;
  /** Why something is left, and what removes it. */
  readonly left?: string;
  readonly dry_run: boolean;
}

export const wuDone: ToolDefinition<WuDoneInput, WuDoneOutput, PackConfig> = defineTool({
  async run({id, lease_token, resolved = [], dry_run = false}, context) {
    const log = openDeliveryLog(context);
    const main = await mainBranch(context, context.config);
    if (dry_run) {
      const unit = requireLease(await log.read(workUnits), id, lease_token);
      const work = await readWork(context, unit);
      await checkWork(context, work, unit);
      const {commit} = await planMerge(context, {id, title: unit.spec.title, head: work.head, main, resolved});
      return {id, main_branch: main, commit, cleaned: false, dry_run};
    }
    const finished = await finishWorkUnit(context, log, {id, lease_token, resolved});
    const {unit, onto, commit, left, ...stamp} = finished;
    const checkouts = (await listWorktrees(context)).filter(({branch}) => branch === main);
    return {
      id,
      main_branch: main,
      commit,
      stamp: {completed_at: unit.since, ...stamp},
      checkouts: checkouts.map(({path}) => ({path, update: `git read-tree -m -u ${onto} ${commit}`})),
      cleaned: left === undefined,
      ...(left !== undefined && {left}),
      dry_run,
    };
  },
});
