// wu:create creates a work unit with a new id, its spec file and its kernel task.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {inSync, type Unsynced} from '../../sync/in-sync.ts';
import {createWorkUnit, type CreatedWorkUnit, type WuDraft} from '../../creation/create-work-unit.ts';

type WuCreateInput = WuDraft & {readonly dry_run?: boolean};

export const wuCreate: ToolDefinition<WuCreateInput, CreatedWorkUnit & Unsynced, PackConfig> = defineTool({
  async run({dry_run: dryRun = false, ...draft}, context) {
    const create = async (): Promise<CreatedWorkUnit> =>
      await createWorkUnit(context, openDeliveryLog(context), draft, dryRun);
    return await inSync(context, dryRun, create);
  },
});
