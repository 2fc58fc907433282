// One container of containerd, by its name.
import type {ContainerEnd, EngineContainer} from '../engine/engine-container.ts';
import type {EngineFailure} from '../engine/engine-client.ts';
import {firstProcess, type FirstProcess} from '../engine/first-process.ts';
import {ok, type Outcome} from '../outcome.ts';
import {taskGroup} from './task-group.ts';
import type {ContainerdApi, NewContainer, TaskStreams} from './containerd-api.ts';

export interface ContainerdRequest extends Omit<NewContainer, 'id'> {
  readonly streams: TaskStreams;
  /** A second process inside, and its streams. */
  readonly relay?: {readonly spec: object; readonly streams: TaskStreams} | undefined;
}

export interface ContainerdContainer {
  readonly api: ContainerdApi;
  readonly id: string;
  /** Whether its processes are those of this machine. */
  readonly sharesKernel: boolean;
}

const endMs = 10_000;
const notFound = 5;

export function createContainerdContainer({
  api,
  id,
  sharesKernel,
}: ContainerdContainer): EngineContainer<ContainerdRequest> {
  const group = taskGroup(id);
  let first: FirstProcess | undefined;

  async function endAfter(status: Outcome<number, EngineFailure>): Promise<ContainerEnd> {
    const isOutOfMemory = group.ranOutOfMemory();
    if (status.ok) {
      await api.deleteTask(id);
      return {exitCode: status.value, isOutOfMemory};
    }
    // containerd has ended, and its container may continue.
    first?.kill();
    const why = `containerd did not report its end (${status.problem.message})`;
    return {exitCode: 137, startError: why, isOutOfMemory: false};
  }

  return {
    async begin({streams, relay, ...container}) {
      const created = await api.createContainer({...container, id});
      if (!created.ok) return created;
      const task = await api.createTask(id, streams);
      if (!task.ok) return task;
      // Of a container with its own kernel, this process is the whole of it.
      first = await firstProcess({pid: task.value, file: sharesKernel ? 'cgroup' : 'cmdline', mark: id});
      const started = await api.startTask(id);
      if (!started.ok) return started;
      const relayed = relay && (await api.exec(id, {name: 'wire', ...relay}));
      return relayed?.ok === false ? relayed : ok(sharesKernel ? first?.pid : undefined);
    },
    bound: (limit) => group.bound(limit),
    waitForEnd() {
      const {status, keepAlive} = api.waitForTask(id, 'none');
      return {keepAlive, end: status.then(endAfter)};
    },
    async kill() {
      // A runtime ends a kernel of its own better than the end of its process does.
      if (!sharesKernel || first?.kill() !== true) await api.killTask(id);
    },
    remove: () => removeContainer(api, id),
  };
}

/** Ends it first, if it still runs. Never rejects. */
export async function removeContainer(api: ContainerdApi, id: string): Promise<void> {
  const killed = await api.killTask(id);
  const isGone = !killed.ok && killed.problem.status === notFound;
  if (!isGone) await api.waitForTask(id, endMs).status;
  await api.deleteTask(id);
  await api.deleteContainer(id);
}
