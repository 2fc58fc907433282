// Tiers that workspace.yaml requires and no backend that it chooses can ever reach. Their calls would always be refused, so
// the workspace is not loaded.
import type {WorkspaceSpec} from '@lumenflow/schemas';
import type {Dispatcher} from '../ports.ts';
import type {Problem} from '../problem.ts';
import {requiredTiers} from './required-tiers.ts';

interface Written {
  readonly spec: WorkspaceSpec;
  /** `file:line:column` of a JSON pointer into workspace.yaml. */
  locate(pointer: string): string;
}

export function unmetTiers({spec, locate}: Written, dispatcher: Pick<Dispatcher, 'unmetTier'>): readonly Problem[] {
  return requiredTiers(spec).flatMap(({pointer, choice}): readonly Problem[] => {
    const unmet = dispatcher.unmetTier?.(choice);
    if (unmet === undefined) return [];
    return [{code: 'SANDBOX_PROFILE_UNMET', severity: 'error', where: locate(pointer), ...unmet}];
  });
}
