// Launches one machine with Firecracker: a jail, the jailer in it, and requests that describe and start the machine.
import {chown} from 'node:fs/promises';
import {createServer, type Server, type Socket} from 'node:net';
import {join} from 'node:path';
import {refHandles} from '../commands/ref-handles.ts';
import {spawnProcess, type ProcessEnd} from '../commands/spawn-process.ts';
import type {ControlGroups} from '../limits/control-groups.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import {vsockVariable} from '../vm/guest-system/first-program.ts';
import type {Machine, MachineBoot} from '../vm/hypervisor.ts';
import {printedBy} from '../vm/printed-by.ts';
import {apiListens, putToApi, type ApiRequest} from './firecracker-api.ts';
import {openJail, type Jail} from './jail.ts';

export interface FirecrackerPrograms {
  readonly programPath: string;
  readonly jailerPath: string;
  readonly unsharePath: string;
  /** Absolute path of the guest's kernel, an ELF file; unpacked again if another program has removed it. */
  kernel(): Promise<Outcome<string>>;
  readonly controlGroups: ControlGroups | undefined;
}

const megabyte = 1024 ** 2;
/** What Firecracker itself needs besides the memory of its guest. */
const ownMemoryBytes = 128 * megabyte;
const ownProcesses = 64;
/** Ids of a guest start at 3; each machine is alone on its vsock. */
const guestId = 3;
/** Where the host listens for the agent. */
const agentPort = 1024;
const apiSocket = 'api.sock';

export async function launchFirecracker(
  boot: MachineBoot,
  {programPath, jailerPath, unsharePath, kernel, controlGroups}: FirecrackerPrograms,
): Promise<Outcome<Machine, string>> {
  const {initrdPath, diskPath} = boot.system;
  const kernelPath = await kernel();
  if (!kernelPath.ok) return failed(kernelPath.problem.message);
  const jail = await openJail(programPath, {kernel: kernelPath.value, initrd: initrdPath, disk: diskPath});
  const agent = await awaitAgent(jail);
  const group = controlGroups?.open({memory_bytes: boot.memoryBytes + ownMemoryBytes, processes: ownProcesses});
  const started = await spawnProcess({
    command: unsharePath,
    args: ['--net', '--', jailerPath, ...jail.options, '--', '--api-sock', `/${apiSocket}`],
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const {pid, pipes, kill} = started;
  const [console, errors] = [printedBy(pipes[1] ?? undefined, 16_000), printedBy(pipes[2] ?? undefined, 4000)];
  // What has ended already cannot be added, as its result says.
  if (pid !== undefined) await group?.add(pid).catch(() => undefined);
  let end: ProcessEnd | undefined;
  const ended = started.ended.then(async (last) => {
    end = last;
    agent.close();
    await Promise.all([group?.remove(), jail.remove()]);
    return last;
  });
  const problem = await describe(boot, join(jail.root, apiSocket), () => end !== undefined);
  const keepAlive = (on: boolean): void => {
    started.keepAlive(on);
    agent.keepAlive(on);
  };
  if (problem === undefined) return ok({pid, kill, keepAlive, ended, port: agent.connection, console, errors});
  kill();
  await ended;
  return failed(end?.startError ?? (errors() || console() || problem));
}

/** Returns what Firecracker rejected, if it did. */
async function describe(boot: MachineBoot, socketPath: string, isOver: () => boolean): Promise<string | undefined> {
  if (!(await apiListens(socketPath, isOver))) return 'its API does not listen';
  try {
    for (const request of requestsFor(boot)) {
      const fault = await putToApi(socketPath, request);
      if (fault !== undefined) return fault;
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Absolute paths are those in the jail. */
export function requestsFor({memoryBytes, processors}: Omit<MachineBoot, 'system'>): readonly ApiRequest[] {
  const bootArguments = ['console=ttyS0 quiet reboot=k panic=-1 random.trust_cpu=on', `${vsockVariable}=${agentPort}`];
  return [
    {
      path: '/machine-config',
      body: {vcpu_count: processors, mem_size_mib: Math.ceil(memoryBytes / megabyte), smt: false},
    },
    {
      path: '/boot-source',
      body: {kernel_image_path: '/kernel', initrd_path: '/initrd', boot_args: bootArguments.join(' ')},
    },
    {
      path: '/drives/system',
      body: {drive_id: 'system', path_on_host: '/disk', is_root_device: false, is_read_only: true},
    },
    {path: '/vsock', body: {guest_cid: guestId, uds_path: '/vsock'}},
    {path: '/actions', body: {action_type: 'InstanceStart'}},
  ];
}

interface AwaitedAgent {
  /** The first connection from the guest, and no other; undefined if it was closed before. */
  readonly connection: Promise<Socket | undefined>;
  close(): void;
  /** Whether this process stays alive for it; true at first. */
  keepAlive(on: boolean): void;
}

/** Firecracker connects a guest's connection to port P of its host to the socket `<uds_path>_<P>`. */
async function awaitAgent({root, uid}: Jail): Promise<AwaitedAgent> {
  const path = join(root, `vsock_${agentPort}`);
  const server = createServer();
  const handles: (Server | Socket)[] = [server];
  const connection = new Promise<Socket | undefined>((resolve) => {
    server.once('connection', (socket) => {
      handles.push(socket.on('error', () => socket.destroy()));
      resolve(socket);
      server.close();
    });
    server.once('close', () => resolve(undefined));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  await chown(path, uid, uid);
  return {connection, close: () => void server.close(), keepAlive: (on) => refHandles(handles, on)};
}
