// Starts a program in a container of an engine. Its streams are named pipes; the engine only creates, starts and removes it.
import {randomBytes} from 'node:crypto';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ResourceLimits, SandboxProfile} from '@lumenflow/schemas';
import {thisProcess} from '../backends/leftover-folders.ts';
import {programArgv} from '../backends/program-argv.ts';
import type {Program, StartedRunner} from '../backends/sandbox-backend.ts';
import {findPrlimit, limitCommand} from '../commands/rlimits.ts';
import {createTreeMeter} from '../limits/create-tree-meter.ts';
import {memoryGroupOf} from '../limits/memory-group.ts';
import {networkFiles} from '../linux/system-files.ts';
import {makeContainerBundle, type ContainerBundle} from '../oci/container-bundle.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {containerRequest, type ContainerRequest} from './container-request.ts';
import {createEngineContainer, type EngineContainer} from './engine-container.ts';
import type {EngineFailure} from './engine-client.ts';
import type {EngineHost} from './engine-host.ts';
import {makeWirePipes, type WirePipes} from './wire-pipes.ts';

export interface EngineLaunch {
  readonly host: EngineHost;
  readonly profile: SandboxProfile;
  readonly program: Program;
  readonly cwd: string;
  /** Name of the container whose network it uses; undefined: it has none. */
  readonly network?: string | undefined;
}

export interface LaunchedInEngine extends Omit<StartedRunner, 'degraded' | 'setUpProblem'> {
  hasBegun(): boolean;
}

/** Nothing is left behind of one that could not be started. */
export async function launchEngineContainer(input: EngineLaunch): Promise<Outcome<LaunchedInEngine>> {
  const {host, program} = input;
  const bundle = await makeContainerBundle(host.engine.backend, []);
  const folder = join(bundle.folder, 'pipes');
  mkdirSync(folder, {mode: 0o755});
  const pipes = await makeWirePipes({folder, withWire: program.kind === 'runner', executor: host.executor});
  const container = createEngineContainer(host.client, bundle.id);
  const mark = randomBytes(8).toString('hex');
  const begun = await container.begin(requestOf(input, {bundle, pipes: folder, mark}), mark);
  if (begun.ok)
    return ok(launched(container, {pipes, bundle, pid: begun.value, memoryBytes: input.profile.limits.memory_bytes}));
  await container.remove();
  pipes.end();
  pipes.wire?.destroy();
  await bundle.remove();
  return failed(notStarted(host, begun.problem));
}

interface LaunchParts {
  readonly pipes: WirePipes;
  readonly bundle: ContainerBundle;
  readonly pid: number | undefined;
  readonly memoryBytes: number | undefined;
}

function launched(container: EngineContainer, {pipes, bundle, pid, memoryBytes}: LaunchParts): LaunchedInEngine {
  const waiting = container.waitForEnd();
  let ranOut = false;
  const looked = (): boolean => {
    const group = ranOut || pid === undefined ? undefined : memoryGroupOf(pid);
    // A rootless engine may leave its container in a group of others.
    return (ranOut ||= group?.ranOut === true && pagesOf(group.boundBytes) === pagesOf(memoryBytes));
  };
  const ended = waiting.end.then(async ({isOutOfMemory, ...end}) => {
    ranOut ||= isOutOfMemory;
    pipes.end();
    await container.remove();
    await bundle.remove();
    return end;
  });
  return {
    pid,
    wire: pipes.wire,
    stdout: pipes.stdout,
    stderr: pipes.stderr,
    ended,
    // Its first process, which is not the call's own, is not below itself.
    meter: pid === undefined ? undefined : {...createTreeMeter(pid, 0), ranOutOfMemory: looked},
    kill: () => void container.kill(),
    keepAlive(on) {
      pipes.keepAlive(on);
      waiting.keepAlive(on);
    },
    hasBegun: () => pipes.hasBegun(),
  };
}

/** The kernel bounds whole pages. */
function pagesOf(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Math.floor(bytes / 4096);
}

interface RequestParts {
  readonly bundle: ContainerBundle;
  readonly pipes: string;
  readonly mark: string;
}

function requestOf(
  {host, profile, program, cwd, network}: EngineLaunch,
  {bundle, pipes, mark}: RequestParts,
): ContainerRequest {
  const {engine, image, user, filter, kernelPaths, maskedPaths} = host;
  const filterPath = join(bundle.folder, 'seccomp.json');
  if (engine.readsFilter) writeFileSync(filterPath, filter, {mode: 0o644});
  return containerRequest({
    profile,
    cwd,
    image,
    user,
    pipes,
    mark,
    kernelPaths,
    maskedPaths,
    masksByOption: engine.masksByOption,
    owner: thisProcess(),
    argv: limitCommand(programArgv(program, profile), ownLimits(profile), findPrlimit()).argv,
    withWire: program.kind === 'runner',
    filter: engine.readsFilter ? filterPath : filter,
    networkOf: network,
    systemPaths: profile.network_posture === 'off' ? [] : networkFiles.filter((path) => existsSync(path)),
    ownFiles: bundle.ownFiles(profile.network_posture !== 'off', user),
    emptyDirectory: (inner) => bundle.emptyDirectory(inner),
    hiddenFile: bundle.hiddenFile,
  });
}

/** Those of each process. Of processes, this one would count the user's outside too: the engine limits them in another way. */
function ownLimits({limits}: SandboxProfile): ResourceLimits {
  const {processes: _, ...own} = limits;
  return own;
}

function notStarted({engine}: EngineHost, {message}: EngineFailure): SandboxProblem {
  return {
    message: `${engine.backend} could not start the container (\`${message}\`)`,
    help: 'run `lumenflow sandbox doctor` to see what is missing, or choose another backend in `security.sandbox.backend`',
  };
}
