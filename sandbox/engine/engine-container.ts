// One container of an engine, by its name.
import type {RunnerEnd} from '../backends/sandbox-backend.ts';
import type {GroupLimit} from '../limits/control-groups.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {EngineClient, EngineFailure, EngineRequest} from './engine-client.ts';
import type {Engine} from './engines.ts';
import {firstProcess, type FirstProcess} from './first-process.ts';
import {unmountablePath, type MountingRequest} from './unmountable-path.ts';

export type ContainerEnd = RunnerEnd & {
  /** Whether the kernel ended a process of it because memory ran out. */
  readonly isOutOfMemory: boolean;
};

export interface EngineContainer<Request> {
  /** Returns the id of its first process, if that is of this machine. `mark`: in the command line of that process. */
  begin(request: Request, mark: string): Promise<Outcome<number | undefined, EngineFailure>>;
  /** As the kernel of this machine enforces it; undefined if it does not, or if only the container can read that. */
  bound?(limit: GroupLimit): number | undefined;
  waitForEnd(): {
    readonly end: Promise<ContainerEnd>;
    keepAlive(on: boolean): void;
  };
  /** Ends all its processes. Resolves once the engine has been asked; never rejects. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

interface ContainerState {
  readonly Pid: number;
  readonly ExitCode: number;
  readonly OOMKilled: boolean;
}

export function createEngineContainer(
  client: EngineClient,
  name: string,
  engine: Pick<Engine, 'waitPath' | 'joinsMounts'>,
): EngineContainer<MountingRequest> {
  const path = (action: string): string => `/containers/${name}${action}`;
  let first: FirstProcess | undefined;

  async function stateNow(): Promise<ContainerState | undefined> {
    const answer = await client.describe(path('/json'));
    const state: unknown = answer.ok ? answer.value['State'] : undefined;
    return isState(state) ? state : undefined;
  }

  async function endAfter(waited: Outcome<unknown, EngineFailure>): Promise<ContainerEnd> {
    const state = waited.ok ? await stateNow() : undefined;
    if (state !== undefined) return {exitCode: state.ExitCode, isOutOfMemory: state.OOMKilled};
    // The engine has ended, and its container may continue.
    first?.kill();
    const why = waited.ok ? 'the container is gone' : waited.problem.message;
    return {exitCode: 137, startError: `the engine did not report its end (${why})`, isOutOfMemory: false};
  }

  return {
    async begin(request, mark) {
      const unmountable = unmountablePath(request, engine);
      if (unmountable !== undefined) return failed(cannotMount(unmountable));
      const created = await client.send({method: 'POST', path: `/containers/create?name=${name}`, body: request});
      if (!created.ok) return created;
      const started = await client.send({method: 'POST', path: path('/start')});
      if (!started.ok) return started;
      const state = await stateNow();
      // Without an engine, nothing could end it.
      if (state === undefined)
        return failed({status: undefined, message: 'it does not report the state of the container'});
      first = await firstProcess({pid: state.Pid, file: 'cmdline', mark});
      return ok(first?.pid);
    },
    waitForEnd() {
      const waitEach = (interval: string): EngineRequest => ({
        method: 'POST',
        path: engine.waitPath(name, interval),
        timeoutMs: 'none',
      });
      // Each look costs Podman a lot, and other containers wait for it. This process looks more often, for less.
      const {answer, keepAlive} = client.begin(waitEach('1s'));
      const answered = new AbortController();
      void answer.then(() => answered.abort());
      const sooner = first?.whenEnded(answered.signal).then(() => client.send(waitEach('20ms')));
      return {keepAlive, end: Promise.race([answer, ...(sooner ? [sooner] : [])]).then(endAfter)};
    },
    async kill() {
      if (first?.kill() !== true) await client.send({method: 'POST', path: path('/kill')});
    },
    remove: async () => void (await client.send({method: 'DELETE', path: path('?force=1&v=1')})),
  };
}

function isState(state: unknown): state is ContainerState {
  const {Pid, ExitCode, OOMKilled}: Readonly<Record<string, unknown>> = Object(state);
  return Number.isInteger(Pid) && Number.isInteger(ExitCode) && typeof OOMKilled === 'boolean';
}

function cannotMount(path: string): EngineFailure {
  return {
    status: undefined,
    message: `cannot mount \`${path}\`, whose path has a comma, a double quote or a line break`,
    help: 'rename it, or use another backend such as `bubblewrap`',
  };
}
