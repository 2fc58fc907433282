// Hosts and engines that are killed at random moments of a call: the next host to start leaves nothing of them.
import type {ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import type {SandboxBackendName, SandboxBackendOptions} from '@lumenflow/schemas';
import {double, sample} from 'fast-check';
import {afterAll, afterEach, beforeAll, describe, expect, test, vi} from 'vitest';
import {findProgram} from '../commands/find-program.ts';
import {createEngineClient} from '../engine/engine-client.ts';
import {engineBackends} from '../engine/engines.ts';
import {descendantsOf} from '../limits/process-tree.ts';
import {containerBackends, ociRuntimes} from '../oci/oci-runtime.ts';
import {engineObstacle, startEngine, type EngineDaemon} from '../testing/engine-daemon.fixture.ts';
import {createBench, type Bench} from '../testing/sandbox-bench.fixture.ts';
import {
  createUserBench,
  userObstacle,
  type BegunHost,
  type UserBench,
  type UserCall,
} from '../testing/user-bench.fixture.ts';
import {findKernel} from '../vm/guest-system/find-kernel.ts';

const timeout = 600_000;
// In the bounded form of CI, fewer: the tests of each backend kill one host too.
const isBounded = process.env['LUMENFLOW_BOUNDED'] !== undefined;
const kills = isBounded ? 8 : 20;
/** Of hosts at once. */
const together = 4;
/** Each starts the engine again. */
const engineKills = isBounded ? 2 : 4;
const beating = `
await context.progress('began');
// What reports it has left this process before the loop blocks it.
await new Promise(setImmediate);
const beat = context.workspace_root + '/beat-' + Math.random();
for (;;) {
  try { fs.writeFileSync(beat, ''); } catch (error) { if (error.code !== 'EROFS') throw error; }
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
}`;

const machinePrograms = ['qemu-system-x86_64', 'busybox', 'mke2fs', 'bwrap'];
const isAbsent = (programs: readonly string[]): boolean => programs.some((name) => findProgram(name) === undefined);
function machineObstacle(): string | undefined {
  return isAbsent(machinePrograms) || findKernel() === undefined ? 'npm run engines -- vm' : undefined;
}

const obstacles: readonly (readonly [SandboxBackendName, string | undefined])[] = [
  ...containerBackends.map(
    (name) => [name, isAbsent([name === 'gvisor' ? 'runsc' : name]) ? ociRuntimes[name].install : undefined] as const,
  ),
  ...engineBackends.map((name) => [name, engineObstacle(name)] as const),
  ['vm', isBounded ? 'not in the bounded form of CI' : machineObstacle()],
];

interface Moment {
  /** Counted from when the handler has begun, or from the start of its host, before its sandbox exists. */
  readonly fromHandler: boolean;
  /** As a part of the duration of a call. */
  readonly part: number;
}

/** At which hosts are killed: half of them certainly while their handler runs. */
function randomMoments(count: number): readonly Moment[] {
  const seed = Date.now();
  process.stderr.write(`moments of seed ${seed}\n`);
  const parts = sample(double({min: 0, max: 1, noNaN: true}), {seed, numRuns: count});
  return parts.map((part, index) => ({part, fromHandler: index % 4 < 2}));
}

/** When a process started, which with its id names it; undefined if it has ended. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    // ENOENT or ESRCH.
    return undefined;
  }
}

interface Killed {
  readonly pid: number;
  /** Below the host when it was killed: each with its start. */
  readonly processes: readonly (readonly [pid: number, start: string | undefined])[];
}

async function killHost(host: ChildProcess): Promise<Killed> {
  const {pid = 0} = host;
  const ended = once(host, 'exit');
  // It starts nothing more while it is inspected.
  host.kill('SIGSTOP');
  const processes = descendantsOf(pid).map((each) => [each, startOf(each)] as const);
  host.kill('SIGKILL');
  if (host.exitCode === null) await ended;
  return {pid, processes};
}

/** What names the process of a host: folders, control groups, programs; and what continues without it. */
function leftOnMachine({pid, processes}: Killed, runnerFolder: string): readonly string[] {
  const groups = ['memory', 'pids', '.'].flatMap((controller) => namesIn(join('/sys/fs/cgroup', controller)));
  const commands = namesIn('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => `${name} ${commandOf(name)}`);
  return [
    ...readdirSync(tmpdir()).filter((name) => name.startsWith('lumenflow-') && name.includes(`-${pid}-`)),
    ...groups.filter((name) => name.startsWith(`lumenflow-${pid}-`)),
    ...commands.filter((command) => new RegExp(`lumenflow-[^ ]*-${pid}-`).test(command)),
    ...commands.filter((command) => command.includes(join(runnerFolder, 'runner.cjs'))),
    ...processes
      .filter(([each, start]) => start !== undefined && startOf(each) === start)
      .map(([each]) => `process ${each}`),
  ];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // This machine has no such controller.
    return [];
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    // It has ended in between.
    return '';
  }
}

for (const [backend, reason] of obstacles) {
  const obstacle = reason ?? userObstacle();
  describe.skipIf(obstacle !== undefined)(`${backend}${obstacle === undefined ? '' : ` (${obstacle})`}`, () => {
    const engine = engineBackends.find((name) => name === backend);
    let daemon: EngineDaemon | undefined;
    let options: SandboxBackendOptions = {};
    let bench: Bench;
    let users: UserBench;
    /** Of a call that returns at once. */
    let callMs = 0;
    const call = (): UserCall => ({backend, uid: 0, options, ...(backend === 'vm' && {write: []})});
    const returnsOne = async (): Promise<void> => {
      const {output} = await users.call('return 1;', call());
      expect(output).toEqual({success: true, data: 1});
    };

    beforeAll(async () => {
      daemon = engine && (await startEngine(engine));
      if (daemon !== undefined) options = {[backend]: {socket: daemon.socket}};
      [bench, users] = [await createBench({backend}), await createUserBench()];
      // The first call builds what later ones share.
      await returnsOne();
      const started = performance.now();
      await returnsOne();
      callMs = performance.now() - started;
    }, timeout);
    afterAll(async () => {
      await bench.remove();
      users.remove();
      await daemon?.end();
    }, timeout);
    afterEach(() => returnsOne(), timeout);

    async function awaitMoment(host: BegunHost, {fromHandler, part}: Moment): Promise<void> {
      if (fromHandler) await host.handlerBegan;
      await delay(part * callMs);
    }

    async function left(killed: readonly Killed[]): Promise<readonly string[]> {
      const inEngine =
        daemon && (await createEngineClient(daemon.socket).list<{Names: readonly string[]}>('/containers/json?all=1'));
      if (inEngine?.ok === false) return ['the engine does not answer'];
      const names = inEngine?.value.flatMap(({Names}) => Names) ?? [];
      return [
        ...killed.flatMap((each) => leftOnMachine(each, dirname(users.workspace))),
        ...names.filter((name) => killed.some(({pid}) => name.includes(`-${pid}-`))),
      ];
    }

    /** What is still being created cannot be removed yet: the start after the next one does it. */
    async function expectNothing(killed: readonly Killed[]): Promise<void> {
      await vi.waitFor(
        async () => {
          await bench.sandbox.reap(options);
          expect(await left(killed)).toEqual([]);
        },
        {timeout: 60_000, interval: 500},
      );
      const beats = (): readonly number[] =>
        readdirSync(users.workspace).map((name) => statSync(join(users.workspace, name)).mtimeMs);
      const before = beats();
      await delay(300);
      expect(beats()).toEqual(before);
    }

    test('nothing is left of hosts that were killed', {timeout}, async () => {
      const killed: (Killed & {readonly wasRunning: boolean})[] = [];
      const moments = [...randomMoments(kills)];
      while (moments.length > 0) {
        const batch = moments.splice(0, together).map(async (moment) => {
          const host = users.begin(beating, call());
          await awaitMoment(host, moment);
          return {...(await killHost(host)), wasRunning: moment.fromHandler};
        });
        killed.push(...(await Promise.all(batch)));
      }
      const midway = killed.filter(({wasRunning}) => wasRunning);
      expect(midway).toHaveLength(kills / 2);
      const before = await left(midway);
      expect([...before, ...midway.flatMap(({processes}) => processes)]).not.toEqual([]);
      await expectNothing(killed);
    });

    test.skipIf(engine === undefined)(
      'nothing is left of calls whose engine was killed, with their host or without',
      {timeout},
      async () => {
        for (const [index, moment] of randomMoments(engineKills).entries()) {
          const host = users.begin(beating, call());
          const ended = once(host, 'exit');
          await awaitMoment(host, moment);
          daemon?.kill();
          const killed = index % 2 === 0 ? await killHost(host) : {pid: host.pid ?? 0, processes: []};
          if (index % 2 === 1) await ended;
          await daemon?.startAgain();
          await expectNothing([killed]);
        }
      },
    );
  });
}
