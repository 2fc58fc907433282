// A worker as a separate process, as root and as an ordinary user: signals end it, and its calls have an outcome.
import {compileProfile, createHostFiles, createSandbox, type SandboxResult} from '@lumenflow/sandbox';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {afterEach, describe, expect, test} from 'vitest';
import {programUsers} from '../../support/lumenflow-program.ts';
import {startWorkerProcess, type WorkerProcess} from '../../support/worker-process.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface RunningCall {
  /** Resolves once its handler runs. */
  readonly began: Promise<void>;
  readonly result: Promise<SandboxResult>;
}

/** A call that reads a granted file and takes this long. */
async function startCall({listed, workerKey}: WorkerProcess, takesMs: number): Promise<RunningCall> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-worker-call-')));
  const sandbox = createSandbox({searchPath: process.env['PATH'] ?? '', backend: 'remote', workerKey});
  closing.push(async () => {
    await sandbox.close();
    rmSync(root, {recursive: true});
  });
  mkdirSync(join(root, 'bundle'));
  writeFileSync(join(root, 'granted.txt'), 'granted');
  const module = join(root, 'bundle/handler.mjs');
  writeFileSync(
    module,
    `import {readFileSync} from 'node:fs';
     export async function run(input, context) {
       context.progress('began');
       await new Promise((done) => setTimeout(done, ${takesMs}));
       return {success: true, data: readFileSync('granted.txt', 'utf8')};
     }`,
  );
  const scope_enforced = {
    read: ['granted.txt'],
    write: [],
    network: {posture: 'off' as const, allowlist_entries: []},
  };
  const compiled = await compileProfile({
    workspaceRoot: root,
    grant: scope_enforced,
    denyOverlays: [],
    home: '/nonexistent',
    runtimePaths: [...sandbox.runtimePaths, join(root, 'bundle')],
    limits: {},
    env: sandbox.baseEnv,
    compilePattern: (pattern) => (path) => path === pattern,
    files: createHostFiles(),
  });
  if (!compiled.ok) throw new Error(compiled.problem);
  let begin = (): void => undefined;
  const began = new Promise<void>((resolve) => (begin = resolve));
  const result = sandbox.execute({
    profile: compiled.value,
    wallMs: 120_000,
    backendOptions: {remote: {workers: [listed]}},
    onMessage: ({type}) => type === 'progress' && begin(),
    invocation: {
      protocol: 1,
      tool_name: 'worker:call',
      handler_entry: `${module}#run`,
      input: null,
      scope_enforced,
      receipt_id: 'rcp-1',
      task_id: 'task-1',
      run_id: 'run-1',
      session_id: 'session-1',
      lane_id: 'lane-1',
      workspace_root: root,
      config: null,
      env: {},
    },
  });
  return {began: Promise.race([began, result.then(() => undefined)]), result};
}

for (const user of programUsers()) {
  describe.skipIf(process.platform !== 'linux' || user.missing !== undefined)(`as ${user.name}`, () => {
    async function open(): Promise<WorkerProcess> {
      const worker = await startWorkerProcess({user});
      closing.push(() => worker.close());
      return worker;
    }

    test('a worker that is asked to end finishes its calls', async () => {
      const worker = await open();
      const {began, result} = await startCall(worker, 1500);
      await began;
      const ended = worker.kill('SIGTERM');
      expect((await result).output).toEqual({success: true, data: 'granted'});
      await ended;
    });

    test('a worker that is killed leaves an unknown outcome', async () => {
      const worker = await open();
      const {began, result} = await startCall(worker, 60_000);
      await began;
      await worker.kill('SIGKILL');
      const {output, lost} = await result;
      expect(lost).toBeDefined();
      expect(output.error?.code).toBe('TOOL_CRASHED');
    });
  });
}

const link = `lfworker${process.pid}`;
/** Of documentation: no real network has them. */
const [ownAddress, workerAddress] = ['198.51.100.1', '198.51.100.2'];
const networkObstacle =
  process.platform !== 'linux' || process.getuid?.() !== 0
    ? 'only root on Linux can make a network'
    : ['ip', 'unshare', 'setpriv'].some((name) => spawnSync(name, ['--version']).error !== undefined)
      ? 'needs iproute2 and util-linux'
      : undefined;

/** A new network, connected to this one by a cable, around a command. */
const elsewhere: readonly string[] = [
  'unshare',
  '--net',
  'sh',
  '-ec',
  `ip link set lo up
   ip link add up0 type veth peer name ${link} netns ${process.pid}
   ip address add ${workerAddress}/30 dev up0
   ip link set up0 up
   exec "$@"`,
  'sh',
];

describe.skipIf(networkObstacle !== undefined)(
  `as another user, in another network (${networkObstacle ?? 'real'})`,
  () => {
    const user = programUsers().find(({uid}) => uid !== undefined);
    const setLink = (state: 'up' | 'down'): void => void execFileSync('ip', ['link', 'set', link, state]);

    async function open(): Promise<WorkerProcess> {
      const worker = await startWorkerProcess({
        ...(user && {user}),
        inside: elsewhere,
        listen: `${workerAddress}:0`,
        args: ['--insecure-http'],
      });
      closing.push(() => worker.close());
      execFileSync('ip', ['address', 'add', `${ownAddress}/30`, 'dev', link]);
      setLink('up');
      return worker;
    }

    test('a worker runs calls for a host that shares nothing with it but the network', async () => {
      const worker = await open();
      expect(readlinkSync(`/proc/${worker.pid}/ns/net`)).not.toBe(readlinkSync('/proc/self/ns/net'));
      expect(readFileSync(`/proc/${worker.pid}/status`, 'utf8')).toMatch(new RegExp(`^Uid:\\s+${user?.uid}\\s`, 'm'));
      const {result} = await startCall(worker, 0);
      expect((await result).output).toEqual({success: true, data: 'granted'});
    });

    test('a call outlives a network that is interrupted', async () => {
      const worker = await open();
      const {began, result} = await startCall(worker, 1500);
      await began;
      setLink('down');
      // The call ends meanwhile.
      await wait(4000);
      setLink('up');
      expect((await result).output).toEqual({success: true, data: 'granted'});
    });
  },
);
