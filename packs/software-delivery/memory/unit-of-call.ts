// The work unit of a call: the one in its input, or the one of its task, which has the same id.
import type {ToolContext} from '@lumenflow/pack-sdk';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {findWorkUnit} from '../work-units/find-work-unit.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';

/**
 * Undefined if the call names none and its task belongs to none. Throws ToolError WU_NOT_FOUND for an unknown id in the input.
 */
export async function unitOfCall(
  {wu_id: given}: {readonly wu_id?: string},
  {task_id: taskId}: Pick<ToolContext, 'task_id'>,
  log: DeliveryLog,
): Promise<WorkUnit | undefined> {
  const state = await log.read(workUnitSlice);
  if (given !== undefined) return findWorkUnit(state, given);
  return Object.hasOwn(state.units, taskId) ? state.units[taskId] : undefined;
}
