// wu:repair finds and fixes disagreements between log, kernel and files about work units.
import {defineTool, isToolError, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {findRepairs, type RepairNeed} from '../../repairs/find-repairs.ts';
import {repairWorkUnit} from '../../repairs/repair-work-unit.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';
import {readSpecFile} from '../../work-units/spec-files.ts';
import {workUnits} from '../../work-units/work-units.ts';

interface WuRepairInput {
  /** Default: all unfinished work units. */
  readonly ids?: readonly string[];
  readonly dry_run?: boolean;
}

interface WuRepairOutput {
  readonly checked: number;
  readonly repairs: readonly (RepairNeed & {readonly error?: string})[];
  readonly dry_run: boolean;
}

export const wuRepair: ToolDefinition<WuRepairInput, WuRepairOutput, PackConfig> = defineTool({
  async run({ids, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    const state = await log.read(workUnits);
    const asked =
      ids?.map((id) => findWorkUnit(state, id)) ?? Object.values(state.units).filter(({status}) => status !== 'done');
    const tasks = await kernelTasks(context).list(asked.map(({spec}) => spec.id));
    const done: (RepairNeed & {readonly error?: string})[] = [];
    for (const unit of asked) {
      context.signal.throwIfAborted();
      const task = tasks.get(unit.spec.id);
      for (const need of findRepairs(unit, {task, specHash: await hashOfSpec(context, unit.spec.id)})) {
        const error = dryRun ? undefined : await failure(repairWorkUnit(context, log, need, {unit, task}));
        done.push({...need, ...(error !== undefined && {error})});
      }
    }
    return {checked: asked.length, repairs: done, dry_run: dryRun};
  },
});

async function hashOfSpec(context: ToolContext<PackConfig>, id: string): Promise<string | undefined> {
  try {
    return (await readSpecFile(context, id)).hash;
  } catch (error) {
    if (isToolError(error) && error.code === 'SPEC_MISSING') return undefined;
    throw error;
  }
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
