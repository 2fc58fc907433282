// wu:cleanup removes the worktree and branch of a finished work unit.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {cleanUp} from '../../done/clean-up.ts';
import type {PackConfig} from '../../pack-config.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {workUnits} from '../../work-units/work-units.ts';

interface WuCleanupInput {
  readonly id: string;
  readonly dry_run?: boolean;
}

interface WuCleanupOutput {
  readonly id: string;
  readonly worktree: string | null;
  readonly branch: string | null;
  readonly dry_run: boolean;
}

export const wuCleanup: ToolDefinition<WuCleanupInput, WuCleanupOutput, PackConfig> = defineTool({
  async run({id, dry_run = false}, context) {
    const log = openDeliveryLog(context);
    const unit = findWorkUnit(await log.read(workUnits), id);
    if (unit.status !== 'done') {
      throw new ToolError('WU_NOT_DONE', `\`${id}\` is ${unit.status}: its worktree is in use`, {
        id,
        status: unit.status,
      });
    }
    const {worktree = null, branch = null} = unit;
    if (dry_run) return {id, worktree, branch, dry_run};
    await cleanUp(context, log, unit);
    return {id, worktree, branch, dry_run};
  },
});
