// Starts a program in a separate container, through the worker in it.
import {setTimeout as delay} from 'node:timers/promises';
import type {SandboxBackend, StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {ContainerApi} from './container-api.ts';
import {containerLimits} from './container-limits.ts';
import type {ContainerPool} from './container-pool.ts';
import {explainLife} from './explain-life.ts';

/** The connection to the worker in a container. */
export type ContainerWorker = Pick<SandboxBackend, 'start' | 'probe' | 'close'>;

export interface ContainerStart {
  readonly pool: ContainerPool<ContainerWorker>;
  readonly api: Pick<ContainerApi, 'stop'>;
}

/** A worker ends a call at once; one that does not is out of reach, or out of control. */
const killMs = 5000;

export async function startInContainer(
  request: StartRequest,
  {pool, api}: ContainerStart,
): Promise<Outcome<StartedRunner>> {
  const acquired = await pool.acquire(containerLimits(request.profile.profile.limits));
  if (!acquired.ok) return failed(explainLife(acquired.problem));
  const container = acquired.value;
  const started = await container.worker.start(request);
  if (!started.ok) {
    void pool.release(container);
    return started;
  }
  const runner = started.value;
  let isEnded = false;
  const ended = runner.ended.finally(() => {
    isEnded = true;
    void pool.release(container);
  });
  const stopIfStuck = async (): Promise<void> => {
    await delay(killMs, undefined, {ref: false});
    if (!isEnded) await api.stop(container.id);
  };
  return ok({
    ...runner,
    ended,
    kill() {
      runner.kill();
      void stopIfStuck();
    },
  });
}
