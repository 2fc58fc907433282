import {expect, test} from 'vitest';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {uncheckedProfile} from '../profile/unchecked-profile.ts';
import {createHostFiles} from '../profile/host-files.ts';
import {startContainer} from './start-container.ts';

test('a name that a configuration cannot contain is refused before anything starts', async () => {
  const profile = uncheckedProfile(narrowestProfile(), '/w/caf\u{dce9}');
  const host = Object.freeze({}) as Parameters<typeof startContainer>[1]['host'];
  const started = await startContainer(
    {profile, program: {kind: 'command', argv: ['true']}},
    {host, files: createHostFiles()},
  );
  expect(started).toMatchObject({
    ok: false,
    problem: {
      message: 'the name `/w/caf\\xe9` is not UTF-8, and the configuration of a container cannot contain it',
      help: 'rename it, or use the backend `bubblewrap`',
    },
  });
});
