import type {ProgramLimits} from '@lumenflow/schemas';
import {limitsMax} from './program-limits.ts';

/** What is wrong with the limits of a request: with zero in `parallel`, for example, steps would be omitted. */
export function limitsProblem(limits: ProgramLimits = {}): string | undefined {
  for (const [key, value] of Object.entries({...limits}) as [string, unknown][]) {
    if (!Object.hasOwn(limitsMax, key)) {
      return `\`limits\` has the unknown key \`${key}\`: use ${Object.keys(limitsMax).join(', ')}`;
    }
    const most = limitsMax[key as keyof ProgramLimits];
    if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > most) {
      return `\`${key}\` of \`limits\` must be a whole number from 1 to ${most}`;
    }
  }
  return undefined;
}
