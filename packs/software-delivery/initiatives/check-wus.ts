// Checks that the work units of a call exist.
import {ToolError} from '@lumenflow/pack-sdk';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';

/** Throws ToolError WU_NOT_FOUND. */
export function checkWus({units}: Pick<WorkUnits, 'units'>, wus: readonly string[]): void {
  const missing = wus.filter((wu) => !Object.hasOwn(units, wu));
  if (missing.length === 0) return;
  const message = `there is no work unit \`${missing.join('`, `')}\`: run \`wu:list\` to see all work units`;
  throw new ToolError('WU_NOT_FOUND', message, {missing});
}
