// The moment between the last check and the mount, made as long as an attacker could wish.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {failed} from '../outcome.ts';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import type {SandboxProfile} from '@lumenflow/schemas';
import {captureOutput} from '../commands/capture-output.ts';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {explainFailure} from './explain-failure.ts';
import {findBwrap} from './host-system.ts';
import {launchBubblewrap} from './launch.ts';
import {openMountSources, type MountSources} from '../linux/open-mount-sources.ts';
import {probeBubblewrap} from './probe-bubblewrap.ts';
import {valueOf} from '../testing/value-of.fixture.ts';

let folder: string;
let [granted, secret] = ['', ''];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-mounts-')));
  [granted, secret] = [join(folder, 'granted'), join(folder, 'secret')];
  for (const [path, name] of [
    [granted, 'mine'],
    [secret, 'theirs'],
  ] as const) {
    mkdirSync(path);
    writeFileSync(join(path, name), '');
  }
});
afterEach(() => rmSync(folder, {recursive: true}));

const profile = (): SandboxProfile => ({
  ...narrowestProfile(),
  writable_bind_mounts: [{source: granted, target: granted}],
});

function openedSources(): MountSources {
  return valueOf(openMountSources(profile()));
}

test('a missing source and a symlink are named, and nothing stays open', () => {
  const before = readdirSync('/proc/self/fd').length;
  renameSync(granted, `${granted}-1`);
  expect(openMountSources(profile())).toEqual(failed(`\`${granted}\` no longer exists`));
  symlinkSync(secret, granted);
  expect(openMountSources(profile())).toEqual(failed(`\`${granted}\` now resolves to \`${secret}\``));
  expect(readdirSync('/proc/self/fd').length).toBe(before);
});

describe.skipIf(findBwrap('/usr/bin:/bin') === undefined)('after the check', () => {
  async function list(sources?: MountSources): Promise<string> {
    const probe = valueOf(await probeBubblewrap({searchPath: '/usr/bin:/bin'}, createSpawnExecutor()));
    const launched = await launchBubblewrap({
      host: probe.host,
      filter: probe.filter,
      profile: profile(),
      sources,
      argv: ['/bin/sh', '-c', `ls ${granted}; ls /proc/self/fd | wc -l`],
      cwd: '/tmp',
      output: 'pipe',
      withWire: false,
    });
    sources?.close();
    if (launched.stdout === undefined || launched.stderr === undefined) throw new Error('not started');
    const [stdout, stderr] = [captureOutput(launched.stdout, 1000), captureOutput(launched.stderr, 1000)];
    const {exitCode} = await launched.ended;
    return exitCode === 0 ? stdout().text : stderr().text;
  }

  test('a symlink that replaces a mount source is not followed', async () => {
    const sources = openedSources();
    renameSync(granted, `${granted}-moved`);
    symlinkSync(secret, granted);
    // The attack works on a mount by path.
    expect(await list()).toMatch(/^theirs\n/);
    expect(await list(sources)).toMatch(/^mine\n/);
  });

  test('a directory that replaces a removed one is not mounted, and the call can be retried', async () => {
    const sources = openedSources();
    rmSync(granted, {recursive: true});
    renameSync(secret, granted);
    const said = await list(sources);
    expect(said).toMatch(/^bwrap: /);
    expect(explainFailure(said)).toMatchObject({retryable: true});
  });

  test('mount sources are not open inside', async () => {
    expect(await list(openedSources())).toBe(await list());
  });
});
