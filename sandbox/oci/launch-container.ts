// Starts a command in a container. The runtime waits until it is in the control group of the call.
import type {SandboxProfile} from '@lumenflow/schemas';
import type {NetworkAttachment} from '../backends/network-attachment.ts';
import {programArgv} from '../backends/program-argv.ts';
import type {Program, StartedRunner} from '../backends/sandbox-backend.ts';
import {announcedAt, type ViewEntry} from '../backends/transaction-view.ts';
import {awaitView, type AwaitedView} from '../linux/await-view.ts';
import {spawnProcess, type SpawnedProcess} from '../commands/spawn-process.ts';
import type {ControlGroup} from '../limits/control-groups.ts';
import {createTreeMeter} from '../limits/create-tree-meter.ts';
import type {Meter} from '../limits/meter.ts';
import {descendantsOf} from '../limits/process-tree.ts';
import {killInside} from '../linux/kill-inside.ts';
import {commandInside, containerCommand} from './container-command.ts';
import {makeContainerBundle, type ContainerBundle} from './container-bundle.ts';
import {endContainer} from './end-container.ts';
import type {OciHost} from './oci-host.ts';
import {ociSpec, type OciSpec} from './oci-spec.ts';
import {createSentryMeter} from './sentry-meter.ts';

export interface ContainerLaunch {
  readonly host: OciHost;
  readonly profile: SandboxProfile;
  readonly program: Program;
  readonly cwd: string;
  readonly network: Extract<NetworkAttachment, {kind: 'namespace'}> | undefined;
  readonly view: ViewEntry | undefined;
}

export interface LaunchedContainer extends Omit<StartedRunner, 'degraded' | 'setUpProblem'> {
  /** Where the view is mounted by what was launched. */
  readonly mounted: AwaitedView | undefined;
  /** What enforces the limits that no process has for itself. */
  readonly group: ControlGroup | undefined;
}

const goFd = announcedAt + 1;

export async function launchContainer(input: ContainerLaunch): Promise<LaunchedContainer> {
  const {host, profile, view} = input;
  const {backend, overheadBytes, tasks} = host.runtime;
  const bundle = await makeContainerBundle(backend, host.topLevel);
  const {memory_bytes, processes} = profile.limits;
  const group = host.controlGroups?.open({
    ...(memory_bytes !== undefined && {memory_bytes: memory_bytes + overheadBytes}),
    ...(processes !== undefined && {processes: tasks(processes)}),
  });
  const started = await spawnContainer(input, bundle);
  const {pid, pipes, kill, keepAlive} = started;
  const mounted = view?.entered === undefined ? undefined : awaitView(pipes);
  if (pid !== undefined) await group?.add(pid).catch(() => undefined);
  pipes[goFd]?.end('\n');
  const [, stdout, stderr, wire] = pipes;
  return {
    pid,
    wire: wire ?? undefined,
    stdout: stdout ?? undefined,
    stderr: stderr ?? undefined,
    ended: started.ended.then(async (end) => {
      await endContainer(host, bundle);
      await Promise.all([group?.remove(), bundle.remove()]);
      return end;
    }),
    meter: meterOf(pid, host, group),
    mounted,
    group,
    kill,
    keepAlive,
  };
}

async function spawnContainer(input: ContainerLaunch, bundle: ContainerBundle): Promise<SpawnedProcess> {
  const {host, program, network, view} = input;
  const withWire = program.kind === 'runner';
  const start = {
    stateFolder: bundle.stateFolder,
    // The network's namespace belongs to a user namespace, in which root has no rights over the machine.
    isRootless: host.uid !== 0 || network !== undefined,
    joinsNetwork: network !== undefined,
  };
  const surroundings = host.surroundings(network !== undefined);
  const {uid, gid} = surroundings.mounts === 'own_as_user' ? {uid: 0, gid: 0} : host;
  bundle.write(specOf(input, bundle, {uid, gid}));
  const [command, ...args] = containerCommand({
    runtime: host.runtime,
    programPath: host.programPath,
    start,
    surroundings,
    bundle,
    withWire,
    goFd,
    enter: view?.enter ?? network?.enter ?? [],
  });
  return await spawnProcess({
    command,
    args,
    cwd: '/',
    env: {PATH: '/usr/sbin:/usr/bin:/sbin:/bin'},
    stdio: [
      'ignore',
      'pipe',
      'pipe',
      withWire ? 'pipe' : 'ignore',
      view?.entered === undefined ? 'ignore' : 'pipe',
      'pipe',
    ],
    killWith: killInside,
  });
}

/** `outside`: the user that the runtime runs as. */
function specOf(
  input: ContainerLaunch,
  bundle: ContainerBundle,
  outside: {readonly uid: number; readonly gid: number},
): OciSpec {
  const {host, profile, program, cwd, network, view} = input;
  const {runtime} = host;
  const argv = programArgv(program, profile);
  const hasNetwork = profile.network_posture !== 'off';
  return ociSpec({
    profile: view?.profile ?? profile,
    cwd,
    argv: commandInside(runtime, argv, program.kind === 'runner'),
    mappedUser: runtime.hasOwnKernel ? undefined : outside,
    joinsNetwork: network !== undefined,
    filter: host.filter,
    kernelPaths: host.kernelPaths,
    maskedPaths: host.maskedPaths,
    systemPaths: host.systemPaths(hasNetwork),
    ownFiles: bundle.ownFiles(hasNetwork),
    hasOwnKernel: runtime.hasOwnKernel,
    emptyDirectory: (inner) => bundle.emptyDirectory(inner),
    hiddenFile: bundle.hiddenFile,
  });
}

function meterOf(pid: number | undefined, {runtime}: OciHost, group: ControlGroup | undefined): Meter | undefined {
  if (pid === undefined) return undefined;
  const meter = runtime.hasOwnKernel ? createSentryMeter(pid) : createTreeMeter(pid);
  return {...meter, ...(group && {ranOutOfMemory: () => group.ranOutOfMemory(descendantsOf(pid).at(-1))})};
}
