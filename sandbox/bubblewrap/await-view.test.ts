// A start whose view is mounted by what is started.
import {expect, describe, test} from 'vitest';
import type {StartedRunner} from '../backends/sandbox-backend.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import {announcedAt, type ViewEntry} from '../backends/transaction-view.ts';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {createHostFiles} from '../profile/host-files.ts';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {uncheckedProfile} from '../profile/unchecked-profile.ts';
import {createBubblewrapBackend} from './create-bubblewrap-backend.ts';
import {findBwrap} from './host-system.ts';
import {valueOf} from '../testing/value-of.fixture.ts';

const backend = createBubblewrapBackend({
  searchPath: '/usr/bin:/bin',
  executor: createSpawnExecutor(),
  files: createHostFiles(),
});

const profile = narrowestProfile();
const compiled = uncheckedProfile(profile);
const mounted = `echo mounted >&${announcedAt}; read -r line <&${announcedAt} && exec ${announcedAt}>&-`;

async function start(script: string, entered: ViewEntry['entered']): Promise<Outcome<StartedRunner>> {
  return await backend.start({
    profile: compiled,
    program: {kind: 'command', argv: ['/bin/sh', '-c', `[ ! -e /dev/fd/${announcedAt} ] && exit 5`]},
    view: {enter: ['sh', '-c', script, 'sh'], profile, degraded: [], ...(entered && {entered})},
  });
}

describe.skipIf(findBwrap('/usr/bin:/bin') === undefined)('a view that is mounted by what is started in it', () => {
  test('is inspected before anything is read', async () => {
    const pids: number[] = [];
    const outcome = await start(`${mounted}; exec "$@"`, async (pid, proceed) => {
      pids.push(pid);
      proceed();
      return ok(undefined);
    });
    const started = valueOf(outcome);
    expect(pids).toEqual([started.pid]);
    expect(await started.ended).toMatchObject({exitCode: 5});
  });

  test('that could not be mounted is a problem, with the message of the failure', async () => {
    const started = await start('echo "mount: no such device" >&2; exit 32', async () => ok(undefined));
    const problem = {message: expect.stringContaining('(`mount: no such device`)'), retryable: true};
    expect(started).toMatchObject({ok: false, problem});
  });

  test('that cannot be inspected ends the start', async () => {
    const problem = failed({message: 'gone', help: 'retry the call'});
    expect(await start(`${mounted}; exec sleep 60`, async () => problem)).toEqual(problem);
  });
});
