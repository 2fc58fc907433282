import {expect, test} from 'vitest';
import {trialProfile} from '../oci/container-trial.ts';
import {uncheckedProfile} from '../profile/unchecked-profile.ts';
import {grantedFiles} from './granted-files.ts';

test('a name that is not UTF-8 is refused before anything is sent', () => {
  const odd = '/w/caf\u{DCE9}';
  const empty = {readonly_bind_mounts: [], writable_bind_mounts: [], deny_overlays: []};
  for (const granted of [
    {readonly_bind_mounts: [{source: odd, target: odd}]},
    {writable_bind_mounts: [{source: odd, target: odd}]},
    {deny_overlays: [{path: `${odd}/.env`, kind: 'file' as const}]},
  ]) {
    const profile = uncheckedProfile({...trialProfile([]), ...empty, ...granted}, '/w');
    expect(grantedFiles({profile, view: undefined}, () => false)).toMatchObject({
      problem: {message: expect.stringMatching(/^the name `\/w\/caf\\xe9(?:\/\.env)?` is not UTF-8, and a sandbox/)},
    });
  }
});
