// wu:prune removes the worktrees and branches of all finished work units, and git's entries for missing worktrees.
import {defineTool, isToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {callUntilApplied} from '../../nested-calls/call-or-throw.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {cleanUp} from '../../done/clean-up.ts';
import type {PackConfig} from '../../pack-config.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';
import {listWorktrees} from '../../worktrees/list-worktrees.ts';
import {worktreesFolder} from '../../worktrees/worktree-place.ts';

interface WuPruneInput {
  readonly dry_run?: boolean;
}

interface WuPruneOutput {
  /** Worktrees of finished work units, and entries of missing worktrees. */
  readonly removed: readonly string[];
  readonly kept: readonly {readonly path: string; readonly reason: string}[];
  readonly dry_run: boolean;
}

export const wuPrune: ToolDefinition<WuPruneInput, WuPruneOutput, PackConfig> = defineTool({
  async run({dry_run = false}, context) {
    const log = openDeliveryLog(context);
    const units = new Map(Object.values((await log.read(workUnitSlice)).units).map((unit) => [unit.worktree, unit]));
    const [removed, kept]: [string[], {path: string; reason: string}[]] = [[], []];
    for (const {path, missing} of await listWorktrees(context)) {
      if (!path.startsWith(`${worktreesFolder}/`)) continue;
      const unit = units.get(path);
      if (unit?.status === 'done') {
        const left = dry_run ? undefined : await whyLeft(cleanUp(context, log, unit));
        if (left === undefined) removed.push(path);
        else kept.push({path, reason: left});
      } else if (missing === true) {
        if (!dry_run) await callUntilApplied(context, 'wu:remove-worktree', {path});
        removed.push(path);
      } else
        kept.push({path, reason: unit === undefined ? 'not a work unit' : `\`${unit.spec.id}\` is ${unit.status}`});
    }
    return {removed, kept, dry_run};
  },
});

async function whyLeft(cleaning: Promise<void>): Promise<string | undefined> {
  try {
    await cleaning;
    return undefined;
  } catch (error) {
    if (isToolError(error)) return error.message;
    throw error;
  }
}
