import {expect, test} from 'vitest';
import {createMissingBackend} from '../backends/create-missing-backend.ts';
import {createBubblewrapBackend} from '../bubblewrap/create-bubblewrap-backend.ts';
import {explainFailure} from '../bubblewrap/explain-failure.ts';
import {findBwrap} from '../bubblewrap/host-system.ts';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {createHostFiles} from '../profile/host-files.ts';
import {diagnoseSandbox} from './diagnose-sandbox.ts';

const runner = {nodePath: process.execPath, runnerPath: '/', runtimePaths: [], argv: () => []};
const bubblewrap = (searchPath: string) =>
  createBubblewrapBackend({runner, searchPath, executor: createSpawnExecutor(), files: createHostFiles()});

test.skipIf(findBwrap('/usr/bin:/bin') === undefined)('a backend whose trial held gives the tier', async () => {
  const report = await diagnoseSandbox([bubblewrap('/usr/bin:/bin')]);
  expect(report.tier).toBe('standard');
  expect(report.checks).toContainEqual({
    name: 'bubblewrap',
    ok: true,
    detail: expect.stringMatching(/^\d+\.\d+.*, tier standard/),
  });
  expect(report.backends).toMatchObject([
    {available: true, guarantees: {filesystem: 'enforced', network_allowlist: 'unsupported'}},
  ]);
  expect(report.checks.map(({name}) => name)).toEqual(
    expect.arrayContaining([
      'node',
      'user.max_user_namespaces',
      'user.max_net_namespaces',
      'seccomp',
      'prlimit',
      'cgroups',
    ]),
  );
  for (const check of report.checks)
    expect([check.name, check.ok || check.fix !== undefined]).toEqual([check.name, true]);
});

test('what is missing comes with its fix, and gives no tier', async () => {
  const missing = createMissingBackend('docker', {message: 'not there', help: 'get it'});
  const report = await diagnoseSandbox([bubblewrap('/nonexistent'), missing]);
  expect(report.tier).toBe('none');
  expect(report.checks).toContainEqual({
    name: 'bubblewrap',
    ok: false,
    detail: 'bubblewrap is not installed',
    fix: 'install it with `apt-get install bubblewrap`',
  });
  expect(report.checks).toContainEqual({name: 'docker', ok: false, detail: 'not there', fix: 'get it'});
});

test.each([
  [
    'bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.',
    'user namespaces are not available',
    'unprivileged_userns_clone=1',
  ],
  ['bwrap: setting up uid map: Permission denied', 'user namespaces are not available', 'AppArmor'],
  ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', 'its loopback cannot be set up', 'apparmor_parser'],
  ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", '/proc of its own', 'systempaths=unconfined'],
  ['bwrap: Unknown option --disable-userns', 'too old', '0.8'],
  ['bwrap: prctl(PR_SET_SECCOMP): Invalid argument', 'no system call filter', 'CONFIG_SECCOMP_FILTER'],
  ['bwrap: something new', 'could not set up', 'sandbox doctor'],
])('%s', (said, message, help) => {
  expect(explainFailure(`${said}\nmore`)).toEqual({
    message: expect.stringContaining(message),
    help: expect.stringContaining(help),
  });
  expect(explainFailure(said).message).toContain(`\`${said}\``);
});
