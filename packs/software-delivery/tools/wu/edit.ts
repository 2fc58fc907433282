// wu:edit edits a ready work unit's spec and preserves comments. Without changes, it records the file.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {editWorkUnit, type EditedWorkUnit} from '../../work-units/edit-work-unit.ts';
import type {SpecChanges} from '../../work-units/write-spec.ts';

interface WuEditInput {
  readonly id: string;
  /** null removes a field. */
  readonly changes?: SpecChanges;
  readonly dry_run?: boolean;
}

export const wuEdit: ToolDefinition<WuEditInput, EditedWorkUnit, PackConfig> = defineTool({
  async run({id, changes = {}, dry_run: dryRun = false}, context) {
    return await editWorkUnit(context, openDeliveryLog(context), {id, changes, dryRun});
  },
});
