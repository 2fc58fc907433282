// The repairs that unfinished work units need.
import {isToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import {findWorkUnit} from '../work-units/find-work-unit.ts';
import {kernelTasks, type KernelTask} from '../work-units/kernel-tasks.ts';
import {readSpecFile} from '../work-units/spec-files.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import type {WorkUnits} from '../work-units/work-units.ts';
import {findRepairs, type RepairNeed} from './find-repairs.ts';

type RepairContext = Pick<ToolContext<PackConfig>, 'callTool' | 'config' | 'fs' | 'signal'>;

export interface FoundRepair extends RepairNeed {
  readonly unit: WorkUnit;
  readonly task: KernelTask | undefined;
}

/** `ids`: default all unfinished work units. Throws ToolError WU_NOT_FOUND. */
export async function findAllRepairs(
  context: RepairContext,
  state: WorkUnits,
  ids?: readonly string[],
): Promise<{readonly checked: number; readonly repairs: readonly FoundRepair[]}> {
  const units =
    ids?.map((id) => findWorkUnit(state, id)) ?? Object.values(state.units).filter(({status}) => status !== 'done');
  const tasks = await kernelTasks(context).list(units.map(({spec}) => spec.id));
  const repairs: FoundRepair[] = [];
  for (const unit of units) {
    context.signal.throwIfAborted();
    const task = tasks.get(unit.spec.id);
    const needs = findRepairs(unit, {task, specHash: await hashOfSpec(context, unit.spec.id)});
    repairs.push(...needs.map((need) => ({...need, unit, task})));
  }
  return {checked: units.length, repairs};
}

async function hashOfSpec(context: RepairContext, id: string): Promise<string | undefined> {
  try {
    return (await readSpecFile(context, id)).hash;
  } catch (error) {
    if (isToolError(error) && error.code === 'SPEC_MISSING') return undefined;
    throw error;
  }
}
