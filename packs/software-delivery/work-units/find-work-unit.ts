// Finds a work unit by id.
import {ToolError} from '@lumenflow/pack-sdk';
import type {WorkUnit} from './work-unit.ts';
import type {WorkUnits} from './work-unit-slice.ts';

/** Throws ToolError WU_NOT_FOUND. */
export function findWorkUnit({units}: Pick<WorkUnits, 'units'>, id: string): WorkUnit {
  const unit = Object.hasOwn(units, id) ? units[id] : undefined;
  if (unit !== undefined) return unit;
  throw new ToolError('WU_NOT_FOUND', `there is no work unit \`${id}\`: run \`wu:list\` to see all work units`, {id});
}
