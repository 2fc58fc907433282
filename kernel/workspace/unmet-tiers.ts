// Tiers that workspace.yaml requires and no backend that it chooses can ever reach. Their calls would always be refused, so
// the workspace is not loaded.
import type {WorkspaceSpec} from '@lumenflow/schemas';
import type {Dispatcher} from '../ports.ts';
import type {Problem} from '../problem.ts';
import {sandboxChoice} from './sandbox-choice.ts';

interface Written {
  readonly spec: WorkspaceSpec;
  /** `file:line:column` of a JSON pointer into workspace.yaml. */
  locate(pointer: string): string;
}

export function unmetTiers({spec, locate}: Written, dispatcher: Pick<Dispatcher, 'unmetTier'>): readonly Problem[] {
  const ofWorkspace = spec.security.sandbox?.profile;
  const required = [
    ...(ofWorkspace === undefined ? [] : [{pointer: '/security/sandbox/profile', choice: sandboxChoice(spec)}]),
    ...spec.lanes.flatMap((lane, index) => {
      const choice = sandboxChoice(spec, lane);
      const isOwn = lane.sandbox !== undefined && choice.security_tier !== ofWorkspace;
      return isOwn ? [{pointer: `/lanes/${index}/sandbox/profile`, choice}] : [];
    }),
  ];
  return required.flatMap(({pointer, choice}): readonly Problem[] => {
    const unmet = dispatcher.unmetTier?.(choice);
    if (unmet === undefined) return [];
    return [{code: 'SANDBOX_PROFILE_UNMET', severity: 'error', where: locate(pointer), ...unmet}];
  });
}
