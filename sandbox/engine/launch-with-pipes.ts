// Starts a program in a container of an engine. Its streams are named pipes; the engine only creates, starts and removes it.
import {randomBytes} from 'node:crypto';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import type {SandboxProfile} from '@lumenflow/schemas';
import type {Program, StartedRunner} from '../backends/sandbox-backend.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {createTreeMeter} from '../limits/create-tree-meter.ts';
import type {GroupLimit} from '../limits/control-groups.ts';
import {memoryGroupOf} from '../limits/memory-group.ts';
import {makeContainerBundle, type ContainerBundle, type RootLinks} from '../oci/container-bundle.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {EngineFailure} from './engine-client.ts';
import type {EngineContainer} from './engine-container.ts';
import {makeWirePipes, type WirePipes} from './wire-pipes.ts';

/** What is started in a container. */
export interface ProgramInside {
  readonly profile: SandboxProfile;
  readonly program: Program;
  readonly cwd: string;
}

export interface PipedLaunch<Request> {
  readonly backend: string;
  readonly executor: CommandExecutor;
  readonly program: Program;
  /** Of the root of a container that has no image. */
  readonly topLevel: RootLinks;
  /** The bound of the container's control group, if it has one. */
  readonly memoryBytes: number | undefined;
  container(id: string): EngineContainer<Request>;
  request(parts: RequestParts): Request;
}

export interface RequestParts {
  readonly bundle: ContainerBundle;
  /** Folder of the named pipes. */
  readonly pipes: string;
  /** For the command line of the container's first process, by which the host recognizes it. */
  readonly mark: string;
}

export interface PipedContainer extends Omit<StartedRunner, 'degraded' | 'setUpProblem'> {
  hasBegun(): boolean;
  /** See `EngineContainer`. */
  bound(limit: GroupLimit): number | undefined;
}

/** Nothing is left behind of one that could not be started. */
export async function launchWithPipes<Request>(input: PipedLaunch<Request>): Promise<Outcome<PipedContainer>> {
  const {backend, program, executor} = input;
  const bundle = await makeContainerBundle(backend, input.topLevel);
  const folder = join(bundle.folder, 'pipes');
  mkdirSync(folder, {mode: 0o755});
  const pipes = await makeWirePipes({folder, withWire: program.kind === 'runner', executor});
  const container = input.container(bundle.id);
  const mark = randomBytes(8).toString('hex');
  const begun = await container.begin(input.request({bundle, pipes: folder, mark}), mark);
  if (begun.ok) return ok(launched(container, {pipes, bundle, pid: begun.value, memoryBytes: input.memoryBytes}));
  await container.remove();
  pipes.cut();
  await bundle.remove();
  return failed(notStarted(backend, begun.problem));
}

interface LaunchParts {
  readonly pipes: WirePipes;
  readonly bundle: ContainerBundle;
  readonly pid: number | undefined;
  readonly memoryBytes: number | undefined;
}

function launched(
  container: Omit<EngineContainer<never>, 'begin'>,
  {pipes, bundle, pid, memoryBytes}: LaunchParts,
): PipedContainer {
  const waiting = container.waitForEnd();
  // Its first process, which is not the call's own, is not below itself.
  const measure = pid === undefined ? () => undefined : createTreeMeter(pid, 0).read;
  let ranOut = false;
  const looked = (): boolean => {
    const group = ranOut || pid === undefined ? undefined : memoryGroupOf(pid);
    // A rootless engine may leave its container in a group of others.
    return (ranOut ||= group?.ranOut === true && pagesOf(group.boundBytes) === pagesOf(memoryBytes));
  };
  const ended = waiting.end.then(async ({isOutOfMemory, ...end}) => {
    ranOut ||= isOutOfMemory;
    // An engine that has ended may leave its container, which keeps the pipes open.
    if (end.startError === undefined) pipes.end();
    else pipes.cut();
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
    meter: {read: measure, ranOutOfMemory: looked},
    kill: () => void container.kill(),
    keepAlive(on) {
      pipes.keepAlive(on);
      waiting.keepAlive(on);
    },
    hasBegun: () => pipes.hasBegun(),
    bound: (limit) => container.bound?.(limit),
  };
}

/** The kernel bounds whole pages. */
function pagesOf(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Math.floor(bytes / 4096);
}

function notStarted(backend: string, {message, help}: EngineFailure): SandboxProblem {
  if (help !== undefined) return {message: `${backend} ${message}`, help};
  return {
    message: `${backend} could not start the container (\`${message}\`)`,
    help: 'run `lumenflow sandbox doctor` to see what is missing, or choose another backend in `security.sandbox.backend`',
  };
}
