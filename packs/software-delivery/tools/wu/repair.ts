// wu:repair finds and fixes disagreements between log, kernel and files about work units. Called by doctor.
import {defineTool, isToolError, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {findAllRepairs} from '../../repairs/find-all-repairs.ts';
import type {RepairNeed} from '../../repairs/find-repairs.ts';
import {repairWorkUnit} from '../../repairs/repair-work-unit.ts';
import {inSync, type Unsynced} from '../../sync/in-sync.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface WuRepairInput {
  /** Default: all unfinished work units. */
  readonly ids?: readonly string[];
  readonly dry_run?: boolean;
}

interface WuRepairOutput extends Unsynced {
  readonly checked: number;
  readonly repairs: readonly (RepairNeed & {readonly error?: string})[];
  readonly dry_run: boolean;
}

export const wuRepair: ToolDefinition<WuRepairInput, WuRepairOutput, PackConfig> = defineTool({
  async run({ids, dry_run: dryRun = false}, context) {
    return await inSync(context, dryRun, async () => await repair(context, {ids, dryRun}));
  },
});

interface RepairRequest {
  readonly ids: readonly string[] | undefined;
  readonly dryRun: boolean;
}

async function repair(context: ToolContext<PackConfig>, {ids, dryRun}: RepairRequest): Promise<WuRepairOutput> {
  const log = openDeliveryLog(context);
  const {checked, repairs} = await findAllRepairs(context, await log.read(workUnitSlice), ids);
  const done: (RepairNeed & {readonly error?: string})[] = [];
  for (const {unit, task, ...need} of repairs) {
    context.signal.throwIfAborted();
    const error = dryRun ? undefined : await failure(repairWorkUnit(context, log, need, {unit, task}));
    done.push({...need, ...(error !== undefined && {error})});
  }
  return {checked, repairs: done, dry_run: dryRun};
}

/** A failed repair is reported and does not prevent the others. */
async function failure(work: Promise<void>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (!isToolError(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
}
