// Checks that a work unit can be delegated: it must not be done.
import {ToolError} from '@lumenflow/pack-sdk';
import {findWorkUnit} from '../work-units/find-work-unit.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';

/** Throws ToolError WU_NOT_FOUND and WU_DONE. */
export function checkCanBeDelegated(state: Pick<WorkUnits, 'units'>, wu: string): void {
  if (findWorkUnit(state, wu).status === 'done') throw new ToolError('WU_DONE', `\`${wu}\` is done`, {id: wu});
}
