import type {LaneSpec, SecurityProfile, WorkspaceSpec} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {sandboxChoice} from './sandbox-choice.ts';
import {unmetProfiles} from './unmet-profiles.ts';

type LaneProfile = NonNullable<LaneSpec['sandbox']>['profile'];

function specOf(profile: SecurityProfile | undefined, ...lanes: readonly (LaneProfile | undefined)[]): WorkspaceSpec {
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
] as const)('of the profiles %s and %s, %s applies', (workspace, lane, applies) => {
  const spec = specOf(workspace, lane);
  expect(sandboxChoice(spec, spec.lanes[0])).toEqual({
    ...(applies && {security_profile: applies}),
    sandbox_backend: 'bubblewrap',
    sandbox_backend_options: {bubblewrap: {program: '/bwrap'}},
  });
});

test('each profile that cannot be met is reported where it is required', () => {
  const dispatcher = {
    unmetProfile: ({security_profile}: {readonly security_profile?: SecurityProfile}) =>
      security_profile === 'hardened' ? {message: 'unmet', help: 'choose'} : undefined,
  };
  const where = (spec: WorkspaceSpec) =>
    unmetProfiles({spec, locate: (pointer) => pointer}, dispatcher).map((problem) => problem.where);
  expect(where(specOf('hardened', 'hardened', undefined))).toEqual(['/security/sandbox/profile']);
  expect(where(specOf('standard', 'standard', 'hardened'))).toEqual(['/lanes/1/sandbox/profile']);
  expect(where(specOf(undefined, 'standard', undefined))).toEqual([]);
});
