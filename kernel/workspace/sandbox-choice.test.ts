import type {LaneSpec, SecurityTier, WorkspaceSpec} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {sandboxChoice} from './sandbox-choice.ts';
import {unmetTiers} from './unmet-tiers.ts';

type LaneTier = NonNullable<LaneSpec['sandbox']>['profile'];

function specOf(profile: SecurityTier | undefined, ...lanes: readonly (LaneTier | undefined)[]): WorkspaceSpec {
  return {
    security: {
      sandbox: {...(profile && {profile}), backend: 'bubblewrap', backends: {bubblewrap: {program: '/bwrap'}}},
    },
    lanes: lanes.map((lane) => (lane === undefined ? {} : {sandbox: {profile: lane}})),
  } as unknown as WorkspaceSpec;
}

test.each([
  [undefined, undefined, undefined],
  ['standard', undefined, 'standard'],
  [undefined, 'hardened', 'hardened'],
  ['dev', 'standard', 'standard'],
  ['standard', 'hardened', 'hardened'],
  ['hardened', 'standard', 'hardened'],
] as const)('of the tiers %s and %s, %s applies', (workspace, lane, applies) => {
  const spec = specOf(workspace, lane);
  expect(sandboxChoice(spec, spec.lanes[0])).toEqual({
    ...(applies && {security_tier: applies}),
    sandbox_backend: 'bubblewrap',
    sandbox_backend_options: {bubblewrap: {program: '/bwrap'}},
  });
});

test('each tier that cannot be reached is reported where it is required', () => {
  const dispatcher = {
    unmetTier: ({security_tier}: {readonly security_tier?: SecurityTier}) =>
      security_tier === 'hardened' ? {message: 'unmet', help: 'choose'} : undefined,
  };
  const where = (spec: WorkspaceSpec) =>
    unmetTiers({spec, locate: (pointer) => pointer}, dispatcher).map((problem) => problem.where);
  expect(where(specOf('hardened', 'hardened', undefined))).toEqual(['/security/sandbox/profile']);
  expect(where(specOf('standard', 'standard', 'hardened'))).toEqual(['/lanes/1/sandbox/profile']);
  expect(where(specOf(undefined, 'standard', undefined))).toEqual([]);
});
