// A custom sandbox backend: `unshare` starts each call in new namespaces. A call has no network, no capabilities, and sees no
// other processes. It can use all files of the host's user, so the backend reaches the tier `dev` only.
import {execFile, spawn, type SpawnOptions} from 'node:child_process';
import type {Duplex} from 'node:stream';
import {promisify} from 'node:util';
import {failed, ok, type SandboxBackend, type StartedRunner, type StartRequest} from '@lumenflow/sandbox/backends';

const name = 'unshare';
/** `--pdeathsig` and `--kill-child` end everything when the host ends. */
const namespaces = '--user --map-current-user --net --ipc --uts --pid --fork --kill-child --mount-proc';
const privileges = '--no-new-privs --bounding-set=-all --inh-caps=-all';
const confined = `setpriv --pdeathsig=KILL unshare ${namespaces} -- setpriv ${privileges}`.split(' ');
/** The first process of the namespace. Signals from inside do not end it; the call's program is its child. */
const first = ['sh', '-c', '"$@"; exit $?', 'sh'];
const lacks = ['filesystem', 'trusted_files', 'network_allowlist', 'network_full', 'system_calls', 'kernel'] as const;
const gap = {message: 'files are not confined', help: 'use `bubblewrap` where it is available'};

/** Fails unless the call is alone in its process tree, and has no capabilities and no network. */
const trial = `test $$ -eq 1 && grep -q '^CapEff:.0*$' /proc/self/status && test $(grep -c : /proc/net/dev) -eq 1`;

export function createUnshareBackend(): SandboxBackend {
  return {
    name,
    capabilities: {spares: false, views: false, network: undefined, selfTest: false, killsAtOnce: true, lacks},
    // What a probe reports was tried on this machine.
    async probe() {
      const [command, ...args] = [...confined, 'sh', '-c', trial];
      try {
        await promisify(execFile)(command, args);
      } catch (error) {
        const message = `a trial of unshare failed (\`${String(error).split('\n')[1] ?? ''}\`)`;
        return {available: false, backend: name, problem: {message, help: 'apt-get install util-linux'}};
      }
      return {available: true, backend: name, tier: 'dev', version: process.version, guarantees, gaps: [gap]};
    },
    start: async (request) => await start(request),
    // The kernel has ended what a killed host had started.
    reap: async () => undefined,
    close: async () => undefined,
  };
}

const guarantees = {
  filesystem: 'unsupported',
  trusted_files: 'unsupported',
  network_off: 'enforced',
  network_allowlist: 'unsupported',
  network_full: 'unsupported',
  processes: 'enforced',
  environment: 'enforced',
  system_calls: 'unsupported',
  kernel: 'unsupported',
  wall_time: 'enforced',
  cpu_time: 'best_effort',
  memory: 'best_effort',
  process_count: 'best_effort',
  open_files: 'enforced',
  file_size: 'enforced',
  output: 'enforced',
} as const;

async function start({profile: {profile, workspaceRoot}, program}: StartRequest): ReturnType<SandboxBackend['start']> {
  if (profile.network_posture !== 'off') {
    return failed({message: `the backend \`${name}\` has no network`, help: 'remove the network scope of the tool'});
  }
  const {open_files, file_size_bytes} = profile.limits;
  const limits = [`--nofile=${open_files ?? 1024}`, `--fsize=${file_size_bytes ?? 'unlimited'}`];
  const argv = program.kind === 'command' ? program.argv : program.runner.argv(profile, program.waiting);
  const [command = '', ...args] = [...confined, ...first, 'prlimit', ...limits, '--', ...argv];
  // The wire of a runner is its descriptor 3.
  const stdio: SpawnOptions['stdio'] = ['ignore', 'pipe', 'pipe', program.kind === 'runner' ? 'pipe' : 'ignore'];
  const child = spawn(command, args, {cwd: workspaceRoot, env: {...profile.env, PATH: '/usr/bin:/bin'}, stdio});
  const [, stdout, stderr, wire] = child.stdio as unknown as readonly (Duplex | null | undefined)[];
  // A call that is ended closes them early.
  for (const stream of [stdout, stderr, wire]) stream?.on('error', () => stream.destroy());
  const ended: StartedRunner['ended'] = new Promise((resolve) => {
    child.once('error', ({message}) => resolve({exitCode: 126, startError: message}));
    child.once('close', (code, signal) => resolve({exitCode: code ?? 137, ...(signal && {signal})}));
  });
  return ok({
    pid: child.pid,
    wire: wire ?? undefined,
    stdout: stdout ?? undefined,
    stderr: stderr ?? undefined,
    ended,
    meter: undefined,
    degraded: ['filesystem: not confined'],
    kill: () => void child.kill('SIGKILL'),
    keepAlive: (on) => (on ? child.ref() : child.unref()),
    setUpProblem: () => undefined,
  });
}
