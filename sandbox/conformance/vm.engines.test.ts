// Virtual machines pass the suite of all backends. They run by software emulation: each start takes seconds.
import {existsSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, test} from 'vitest';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {findProgram} from '../commands/find-program.ts';
import {firecracker} from '../firecracker/firecracker.ts';
import {bundleStandIns} from '../testing/firecracker/bundle-stand-ins.fixture.ts';
import {limitConcurrency} from '../network/limit-concurrency.ts';
import {globMatcher} from '../testing/glob-matcher.fixture.ts';
import {bundleNetworkHolder, bundleRunner, bundleVmAgent} from '../testing/sandbox-bench.fixture.ts';
import {createVmBackend} from '../vm/create-vm-backend.ts';
import type {VmOptions} from '../vm/hypervisor.ts';
import {findKernel} from '../vm/guest-system/find-kernel.ts';
import {qemu} from '../vm/qemu.ts';
import {runBackendConformance} from './run-backend-conformance.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-machines-')));
const runnerPath = join(folder, 'runner.cjs');
const networkHolderPath = join(folder, 'network-holder.cjs');
const agentPath = join(folder, 'vm-agent.cjs');
beforeAll(async () => {
  process.env['LUMENFLOW_CONFORMANCE_HOST'] = 'host';
  await Promise.all([bundleRunner(runnerPath), bundleNetworkHolder(networkHolderPath), bundleVmAgent(agentPath)]);
});
afterAll(() => {
  delete process.env['LUMENFLOW_CONFORMANCE_HOST'];
  rmSync(folder, {recursive: true});
});

const executor = createSpawnExecutor();
const caseMs = 1_200_000;
const machinesMax = 2;
const isBounded = process.env['LUMENFLOW_BOUNDED'] !== undefined;
const programs = ['qemu-system-x86_64', 'busybox', 'mke2fs', 'bwrap'];
const lacks = (names: readonly string[]): boolean =>
  !existsSync('/boot') || findKernel() === undefined || names.some((name) => findProgram(name) === undefined);

const hypervisors = [
  {
    kind: qemu,
    title: 'vm (`apt-get install qemu-system-x86 linux-image-cloud-amd64 busybox-static`)',
    isAbsent: lacks(programs),
    withoutNetwork: [],
    options: async () => ({}),
  },
  {
    kind: firecracker,
    title:
      'firecracker, by a stand-in (as root; `apt-get install qemu-system-x86 linux-image-cloud-amd64 busybox-static lz4`)',
    // The machines are those of `vm`, so the bounded form of CI does without it: it takes as long as all containers.
    isAbsent: isBounded || process.geteuid?.() !== 0 || lacks([...programs, 'lz4', 'unshare']),
    withoutNetwork: ['an allowlist refuses what it does not list, at once'],
    options: async () => await bundleStandIns(folder),
  },
];

for (const {kind, title, isAbsent, withoutNetwork, options} of hypervisors) {
  describe.skipIf(isAbsent)(title, () => {
    let given: VmOptions;
    beforeAll(async () => {
      given = await options();
    });
    // Each machine keeps one processor busy, and the tests of another one wait.
    const inTurn = limitConcurrency(machinesMax);
    runBackendConformance({
      register: (name, run) => test.concurrent(name, {timeout: caseMs}, () => inTurn(run)),
      registerSkipped: (name, reason) => test.skip(`${name} (${reason})`),
      compilePattern: globMatcher,
      runnerPath,
      networkHolderPath,
      newBackend: (runner) =>
        createVmBackend(kind, {runner, executor, searchPath: '/usr/bin:/bin', agentPath, options: given}),
      startMs: 40_000,
      skip: [
        {
          reason: 'nothing that a call writes reaches the host before it has returned',
          cases: [
            'a timeout ends the handler and the children that ignore SIGTERM',
            'a timeout ends children that have left the process group',
            'a cancel reaches the handler, which may clean up',
          ],
        },
        {
          reason: 'by software emulation, as many starts take minutes',
          cases: ['32 calls at once have a result each, its own'],
        },
        {reason: 'its machines have no network', cases: withoutNetwork},
      ],
    });
  });
}
