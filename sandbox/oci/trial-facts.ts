// Reads what a trial printed. A program that is not the expected runtime may end without an error, and print anything.
import type {TrialFacts} from './container-trial.ts';

export const noTrialFacts = 'it printed no result';

const shape: Readonly<Record<keyof TrialFacts, 'boolean' | 'list' | 'string'>> = {
  readCanary: 'boolean',
  written: 'list',
  interfaces: 'list',
  seesHost: 'boolean',
  environment: 'list',
  capabilities: 'list',
  noNewPrivileges: 'boolean',
  isFiltered: 'boolean',
  unshared: 'boolean',
  kernel: 'string',
  openFilesBound: 'boolean',
  fileSizeBound: 'boolean',
};

/** Undefined if it is not the result of a trial, or a part of one is missing: that would count as a protection. */
export function trialFacts(printed: string): TrialFacts | undefined {
  try {
    const found = JSON.parse(printed) as Readonly<Record<string, unknown>> | null;
    const isWhole = Object.entries(shape).every(([name, kind]) => kindOf(found?.[name]) === kind);
    return isWhole ? (found as unknown as TrialFacts) : undefined;
  } catch {
    // It is not JSON, so nothing was found.
    return undefined;
  }
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value;
}
