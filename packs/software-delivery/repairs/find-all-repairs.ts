// The repairs that unfinished work units need.
import {isToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import {findWorkUnit} from '../work-units/find-work-unit.ts';
import {kernelTasks, type KernelTask} from '../work-units/kernel-tasks.ts';
import {listSpecFiles, readSpecFile} from '../work-units/spec-files.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';
import {findRepairs, type RepairNeed} from './find-repairs.ts';

type RepairContext = Pick<ToolContext<PackConfig>, 'callTool' | 'config' | 'fs' | 'signal'>;

export interface FoundRepair extends RepairNeed {
  /** Undefined for a task without a work unit. */
  readonly unit: WorkUnit | undefined;
  readonly task: KernelTask | undefined;
}

/** `ids`: default all unfinished work units, and all tasks without one. Throws ToolError WU_NOT_FOUND. */
export async function findAllRepairs(
  context: RepairContext,
  state: WorkUnits,
  ids?: readonly string[],
): Promise<{readonly checked: number; readonly repairs: readonly FoundRepair[]}> {
  const strays = await findStrays(context, state);
  const units =
    ids?.filter((id) => !strays.has(id)).map((id) => findWorkUnit(state, id)) ??
    Object.values(state.units).filter(({status}) => status !== 'done');
  const tasks = await kernelTasks(context).list(units.map(({spec}) => spec.id));
  const repairs: FoundRepair[] = [];
  for (const unit of units) {
    context.signal.throwIfAborted();
    const task = tasks.get(unit.spec.id);
    const needs = findRepairs(unit, {task, specHash: await hashOfSpec(context, unit.spec.id)});
    repairs.push(...needs.map((need) => ({...need, unit, task})));
  }
  for (const [id, task] of strays) {
    if (ids?.includes(id) === false) continue;
    const problem = `its task is ${task.state}, but there is no such work unit`;
    repairs.push({id, repair: 'cancel-task', problem, unit: undefined, task});
  }
  return {checked: units.length, repairs};
}

/**
 * Open tasks of the kernel that belong to no work unit, for example because the call that deleted it was interrupted. A spec that
 * is not recorded is a work unit, too.
 */
async function findStrays(context: RepairContext, {units}: WorkUnits): Promise<ReadonlyMap<string, KernelTask>> {
  const open = await kernelTasks(context).listOpen();
  const specs = new Set(await listSpecFiles(context));
  return new Map([...open].filter(([id]) => !Object.hasOwn(units, id) && !specs.has(id)));
}

async function hashOfSpec(context: RepairContext, id: string): Promise<string | undefined> {
  try {
    return (await readSpecFile(context, id)).hash;
  } catch (error) {
    if (isToolError(error) && error.code === 'SPEC_MISSING') return undefined;
    throw error;
  }
}
