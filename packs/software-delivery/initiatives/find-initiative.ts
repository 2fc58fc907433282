// Finds an initiative and its phases, or reports the existing ones.
import {ToolError} from '@lumenflow/pack-sdk';
import type {Initiative, Initiatives} from './initiative-slice.ts';

/** Throws ToolError INITIATIVE_NOT_FOUND. */
export function findInitiative({initiatives}: Pick<Initiatives, 'initiatives'>, id: string): Initiative {
  const found = Object.hasOwn(initiatives, id) ? initiatives[id] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(initiatives).slice(-20);
  const message = `there is no initiative \`${id}\`: run \`initiative:list\` to see all initiatives`;
  throw new ToolError('INITIATIVE_NOT_FOUND', message, {initiative: id, known});
}

/** Throws ToolError PHASE_NOT_FOUND for a phase that the initiative does not have. */
export function checkPhase({id, phases}: Initiative, phase: number | undefined): void {
  if (phase === undefined || phase <= phases.length) return;
  const has = phases.length === 0 ? 'no phases' : `${phases.length} phases`;
  throw new ToolError('PHASE_NOT_FOUND', `the initiative \`${id}\` has ${has}, and none has the number ${phase}`, {
    initiative: id,
    phase,
    phases,
  });
}

/** `INIT-1`, `INIT-2`, …; ids need no other check, because initiatives are never deleted. */
export function nextInitiativeId({initiatives}: Pick<Initiatives, 'initiatives'>): string {
  return `INIT-${Object.keys(initiatives).length + 1}`;
}
