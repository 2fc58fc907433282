// wu:undo reverts the merge of a finished work unit through the gates, and creates a work unit that continues it.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {describeCheckouts} from '../../done/describe-checkouts.ts';
import type {CheckoutUpdate} from '../../done/update-checkout.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {checkUndo} from '../../undo/check-undo.ts';
import {inSync, type Unsynced} from '../../sync/in-sync.ts';
import {undoWorkUnit} from '../../undo/undo-work-unit.ts';

interface WuUndoInput {
  readonly id: string;
  readonly reason: string;
  readonly dry_run?: boolean;
}

interface WuUndoOutput extends Unsynced {
  readonly id: string;
  /** The commit that reverts the work. Absent in a dry run. */
  readonly commit?: string;
  /** The work unit that continues. Absent in a dry run. */
  readonly successor?: string;
  /** The person's own checkout, if it has the main branch checked out. */
  readonly checkout?: CheckoutUpdate;
  /** Steps for a person if a checkout of the main branch was not updated. */
  readonly behind?: string;
  readonly dry_run: boolean;
}

export const wuUndo: ToolDefinition<WuUndoInput, WuUndoOutput, PackConfig> = defineTool({
  async run({id, reason, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    if (dryRun) {
      await checkUndo(context, log, id);
      return {id, dry_run: dryRun};
    }
    return await inSync(context, dryRun, async () => {
      const {commit, successor, checkout} = await undoWorkUnit(context, log, {id, reason});
      const {behind} = await describeCheckouts(context, checkout);
      return {
        id,
        commit,
        successor,
        ...(checkout && {checkout}),
        ...(behind !== undefined && {behind}),
        dry_run: dryRun,
      };
    });
  },
});
