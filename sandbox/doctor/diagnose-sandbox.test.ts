import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {createMissingBackend} from '../backends/create-missing-backend.ts';
import {runnerProgram} from '../backends/runner-program.ts';
import {createBubblewrapBackend} from '../bubblewrap/create-bubblewrap-backend.ts';
import {explainFailure} from '../bubblewrap/explain-failure.ts';
import {findBwrap} from '../bubblewrap/host-system.ts';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {createSandboxNetwork} from '../network/create-sandbox-network.ts';
import {findNetworkPrograms} from '../network/network-programs.ts';
import {createHostFiles} from '../profile/host-files.ts';
import {bundleNetworkHolder} from '../testing/sandbox-bench.fixture.ts';
import {diagnoseSandbox} from './diagnose-sandbox.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-doctor-')));
const holderPath = join(folder, 'network-holder.cjs');
beforeAll(() => bundleNetworkHolder(holderPath));
afterAll(() => rmSync(folder, {recursive: true}));

const runner = runnerProgram({nodePath: process.execPath, runnerPath: import.meta.filename});
const network = createSandboxNetwork({nodePath: runner.nodePath, holderPath, resolveHost: async () => []});
const hasNetwork = !('message' in findNetworkPrograms());
const bubblewrap = (searchPath: string) =>
  createBubblewrapBackend({runner, searchPath, executor: createSpawnExecutor(), files: createHostFiles(), network});

test.skipIf(findBwrap('/usr/bin:/bin') === undefined)('a backend whose trial held gives the tier', async () => {
  const report = await diagnoseSandbox([bubblewrap('/usr/bin:/bin')]);
  expect(report.tier).toBe('standard');
  expect(report.checks).toContainEqual({
    name: 'bubblewrap',
    ok: true,
    detail: expect.stringMatching(/^\d+\.\d+.*, tier standard/),
  });
  const held = hasNetwork ? 'enforced' : 'unsupported';
  expect(report.backends).toMatchObject([
    {available: true, guarantees: {filesystem: 'enforced', network_allowlist: held, network_full: held}},
  ]);
  expect(report.checks.map(({name}) => name)).toEqual(
    expect.arrayContaining([
      'node',
      'user.max_user_namespaces',
      'user.max_net_namespaces',
      'seccomp',
      'prlimit',
      'cgroups',
      'network allowlist',
      'nft',
    ]),
  );
  const allowlist = report.checks.find(({name}) => name === 'network allowlist');
  expect(allowlist?.ok).toBe(hasNetwork);
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
