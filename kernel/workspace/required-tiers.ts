// The security tiers that workspace.yaml requires: of all calls, and of those in lanes that require more.
import type {WorkspaceSpec} from '@lumenflow/schemas';
import type {SandboxChoice} from '../dispatch/sandbox-choice.ts';
import {sandboxChoice} from './sandbox-choice.ts';

export interface RequiredTier {
  /** JSON pointer of the requirement in workspace.yaml. */
  readonly pointer: string;
  readonly choice: SandboxChoice;
}

export function requiredTiers(spec: WorkspaceSpec): readonly RequiredTier[] {
  const ofWorkspace = spec.security.sandbox?.profile;
  return [
    ...(ofWorkspace === undefined ? [] : [{pointer: '/security/sandbox/profile', choice: sandboxChoice(spec)}]),
    ...spec.lanes.flatMap((lane, index) => {
      const choice = sandboxChoice(spec, lane);
      const isOwn = lane.sandbox !== undefined && choice.security_tier !== ofWorkspace;
      return isOwn ? [{pointer: `/lanes/${index}/sandbox/profile`, choice}] : [];
    }),
  ];
}
