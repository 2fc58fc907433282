// wu:recover resumes an interrupted `wu:done`, or rolls it back if nothing was merged.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {doneSlice, type DoneProgress} from '../../done/done-slice.ts';
import {finishWorkUnit} from '../../done/finish-work-unit.ts';
import {inSync, type Unsynced} from '../../sync/in-sync.ts';
import {rollBack} from '../../done/roll-back.ts';
import type {PackConfig} from '../../pack-config.ts';

interface WuRecoverInput {
  readonly id: string;
  readonly lease_token: number;
  readonly action: 'resume' | 'roll_back';
  /** Report the last completed stage. */
  readonly dry_run?: boolean;
}

interface WuRecoverOutput extends Unsynced {
  readonly id: string;
  /** The last completed stage. */
  readonly stage: DoneProgress['stage'];
  readonly outcome: 'done' | 'rolled_back' | 'unchanged';
  readonly left?: string;
  readonly dry_run: boolean;
}

export const wuRecover: ToolDefinition<WuRecoverInput, WuRecoverOutput, PackConfig> = defineTool({
  async run({id, lease_token, action, dry_run = false}, context) {
    const log = openDeliveryLog(context);
    const progress = (await log.read(doneSlice))[id];
    if (progress === undefined) {
      throw new ToolError('NOTHING_TO_RECOVER', `\`wu:done\` of \`${id}\` was not interrupted`, {id});
    }
    const {stage} = progress;
    if (dry_run) return {id, stage, outcome: 'unchanged', dry_run};
    if (action === 'roll_back') {
      await rollBack(context, log, {id, lease_token});
      return {id, stage, outcome: 'rolled_back', dry_run};
    }
    return await inSync(context, dry_run, async () => {
      const {left} = await finishWorkUnit(context, log, {id, lease_token, resolved: []});
      return {id, stage, outcome: 'done' as const, ...(left !== undefined && {left}), dry_run};
    });
  },
});
