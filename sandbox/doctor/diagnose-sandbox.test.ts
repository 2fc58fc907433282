import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {createUnavailableBackend} from '../backends/create-unavailable-backend.ts';
import {runnerProgram} from '../backends/runner-program.ts';
import {createBubblewrapBackend} from '../bubblewrap/create-bubblewrap-backend.ts';
import {explainFailure} from '../bubblewrap/explain-failure.ts';
import {createContainerdBackend} from '../containerd/create-containerd-backend.ts';
import {findBwrap} from '../bubblewrap/host-system.ts';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {createCallExecutor} from '../execution/create-call-executor.ts';
import {createSandboxNetwork} from '../network/create-sandbox-network.ts';
import {findNetworkPrograms} from '../network/network-programs.ts';
import {createHostFiles} from '../profile/host-files.ts';
import {bundleNetworkHolder} from '../testing/sandbox-bench.fixture.ts';
import {diagnoseSandbox} from './diagnose-sandbox.ts';
import type {DoctorCheck} from './doctor-check.ts';
import type {Machine} from './machine.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-doctor-')));
const holderPath = join(folder, 'network-holder.cjs');
beforeAll(() => bundleNetworkHolder(holderPath));
afterAll(() => rmSync(folder, {recursive: true}));

const runner = runnerProgram({nodePath: process.execPath, runnerPath: import.meta.filename});
const network = createSandboxNetwork({nodePath: runner.nodePath, holderPath, resolveHost: async () => []});
const files = createHostFiles();
const hasNetwork = findNetworkPrograms().ok;
const bubblewrap = (searchPath: string) =>
  createCallExecutor({
    backend: createBubblewrapBackend({searchPath, executor: createSpawnExecutor(), files}),
    runner,
    files,
    network,
  });

test.skipIf(findBwrap('/usr/bin:/bin') === undefined)('a required tier is checked against the backends', async () => {
  const backends = [bubblewrap('/nonexistent'), bubblewrap('/usr/bin:/bin')];
  const {checks} = await diagnoseSandbox(backends, {tiers: ['standard', 'hardened']});
  expect(checks).toContainEqual({name: 'tier standard', ok: true, detail: 'met by `bubblewrap`'});
  const hardened = await diagnoseSandbox([bubblewrap('/usr/bin:/bin')], {tiers: ['hardened']});
  expect(hardened.checks).toContainEqual({
    name: 'tier hardened',
    ok: false,
    detail: expect.stringContaining('`kernel` enforced (it is unsupported)'),
    fix: expect.stringContaining('use a backend with its own kernel'),
  });
});

test('of a tier that no backend meets, the reasons of all are listed', async () => {
  const backends = [
    bubblewrap('/nonexistent'),
    createUnavailableBackend('gvisor', {message: 'runsc is missing', help: 'add it'}),
  ];
  const {checks} = await diagnoseSandbox(backends, {tiers: ['hardened']});
  expect(checks).toContainEqual({
    name: 'tier hardened',
    ok: false,
    detail: 'bubblewrap is not installed; runsc is missing',
    fix: 'install it with `apt-get install bubblewrap`; or add it',
  });
});

test.skipIf(findBwrap('/usr/bin:/bin') === undefined)('a backend whose trial succeeded reports the tier', async () => {
  const report = await diagnoseSandbox([bubblewrap('/usr/bin:/bin')]);
  expect(report.tier).toBe('standard');
  expect(report.checks).toContainEqual({
    name: 'bubblewrap',
    ok: true,
    detail: expect.stringMatching(/^\d+\.\d+.*, tier standard/),
  });
  const guarantee = hasNetwork ? 'enforced' : 'unsupported';
  expect(report.backends).toMatchObject([
    {available: true, guarantees: {filesystem: 'enforced', network_allowlist: guarantee, network_full: guarantee}},
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

test('a missing program is reported with its fix and without a tier', async () => {
  const missing = createUnavailableBackend('docker', {message: 'not there', help: 'get it'});
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

test('readiness is that of each backend that was probed, and a stand-in proves nothing here', async () => {
  const absent = createUnavailableBackend('docker', {message: 'not there', help: 'get it'});
  const kata = createContainerdBackend('kata', {
    runner,
    executor: createSpawnExecutor(),
    files,
    socket: '/nonexistent/containerd.sock',
    runtime: 'kata',
  });
  const working = findBwrap('/usr/bin:/bin') === undefined ? [] : [bubblewrap('/usr/bin:/bin')];
  const {checks, readiness} = await diagnoseSandbox([...working, absent], {others: [kata]});
  expect(readiness).toEqual({
    ...(working.length > 0 && {bubblewrap: 'proven here'}),
    docker: 'absent',
    kata: 'contract only',
  });
  expect(checks).toContainEqual({name: 'backend kata', ok: true, detail: expect.stringMatching(/^contract only: /)});
});

/** A machine whose kernel says these things and that has these programs beside bubblewrap. */
const machine = (words: {isRoot?: boolean; files?: Record<string, string>; programs?: readonly string[]}): Machine => ({
  platform: 'linux',
  isRoot: words.isRoot ?? false,
  read: (path) => words.files?.[path],
  find: (name) =>
    (words.programs ?? ['unshare', 'nsenter', 'sh', 'ip', 'nft']).includes(name) ? `/usr/bin/${name}` : undefined,
});
const none = createUnavailableBackend('bubblewrap', {message: 'not tried', help: 'try'});
const checked = async (words: Parameters<typeof machine>[0], name: string): Promise<DoctorCheck | undefined> =>
  (await diagnoseSandbox([none], {machine: machine(words)})).checks.find((check) => check.name === name);

test.each([
  ['kernel.unprivileged_userns_clone', '0', 'sysctl -w kernel.unprivileged_userns_clone=1'],
  ['kernel.apparmor_restrict_unprivileged_userns', '1', 'apparmor_parser -r'],
])('%s denies user namespaces to an ordinary user, not to root', async (name, value, fix) => {
  const files = {[`/proc/sys/${name.replace('.', '/')}`]: value};
  expect(await checked({files}, name)).toEqual({
    name,
    ok: false,
    detail: `is ${value}`,
    fix: expect.stringContaining(fix),
  });
  expect(await checked({files, isRoot: true}, name)).toEqual({
    name,
    ok: true,
    detail: expect.stringContaining('not restrict root'),
  });
  expect(await checked({}, name)).toBeUndefined();
});

test.each(['user.max_user_namespaces', 'user.max_net_namespaces'])(
  'a limit of zero in %s applies to root too',
  async (name) => {
    const files = {[`/proc/sys/${name.replace('.', '/')}`]: '0'};
    expect(await checked({files, isRoot: true}, name)).toMatchObject({ok: false, fix: `sysctl -w ${name}=15000`});
  },
);

test('a kernel without system call filters is reported', async () => {
  expect(await checked({}, 'seccomp')).toMatchObject({ok: false, fix: 'use a kernel with CONFIG_SECCOMP_FILTER'});
});

test.each([
  ['network allowlist', ['unshare', 'nsenter', 'sh'], 'install it with `apt-get install iproute2`'],
  ['network allowlist', ['ip', 'sh'], 'install them with `apt-get install util-linux`'],
  [
    'network allowlist',
    ['unshare', 'nsenter', 'sh', 'ip'],
    'see the other checks; until they pass, grant network posture `off`',
  ],
  ['nft', [], 'apt-get install nftables'],
])('%s with only %j names the package', async (name, programs, fix) => {
  expect(await checked({programs}, name)).toMatchObject({ok: false, fix});
});

describe.skipIf(findBwrap('/usr/bin:/bin') === undefined)('a bubblewrap', () => {
  /** The real one behind a script that changes its output, or its arguments. */
  async function bwrapThat(name: string, script: string): Promise<readonly DoctorCheck[]> {
    const place = join(folder, name);
    mkdirSync(place);
    writeFileSync(join(place, 'bwrap'), `#!/bin/sh\n${script}\nexec ${findBwrap('/usr/bin:/bin')} "$@"\n`, {
      mode: 0o755,
    });
    const {checks} = await diagnoseSandbox([bubblewrap(place)]);
    return checks.filter((check) => check.name === 'bubblewrap');
  }

  test('that is older than --bind-fd works, and is reported', async () => {
    expect(await bwrapThat('old', `[ "$1" = --help ] && echo ' --bind DEST' && exit`)).toEqual([
      expect.objectContaining({ok: true}),
      {
        name: 'bubblewrap',
        ok: false,
        detail: expect.stringContaining('does not support --bind-fd'),
        fix: expect.stringContaining('0.10'),
      },
    ]);
  });

  test('in a container that masks /proc cannot work, and the fix is to change the container', async () => {
    const said = "bwrap: Can't mount proc on /newroot/proc: Operation not permitted";
    expect(await bwrapThat('nested', `[ "$1" = --args ] && { echo "${said}" >&2; exit 1; }`)).toEqual([
      {
        name: 'bubblewrap',
        ok: false,
        detail: expect.stringContaining(said),
        fix: expect.stringContaining('systempaths=unconfined'),
      },
    ]);
  });
});

test.each([
  [
    'bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.',
    'user namespaces are not available',
    'unprivileged_userns_clone=1',
  ],
  ['bwrap: setting up uid map: Permission denied', 'user namespaces are not available', 'AppArmor'],
  ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', 'loopback interface', 'apparmor_parser'],
  ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", 'a private /proc', 'systempaths=unconfined'],
  ['bwrap: Unknown option --disable-userns', 'too old', '0.8'],
  ['bwrap: prctl(PR_SET_SECCOMP): Invalid argument', 'does not support system call filters', 'CONFIG_SECCOMP_FILTER'],
  ['bwrap: something new', 'could not set up', 'sandbox doctor'],
])('%s', (said, message, help) => {
  expect(explainFailure(`${said}\nmore`)).toEqual({
    message: expect.stringContaining(message),
    help: expect.stringContaining(help),
  });
  expect(explainFailure(said).message).toContain(`\`${said}\``);
});
