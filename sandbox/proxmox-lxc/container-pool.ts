// Containers for calls: at most so many at once, and some of them kept started. A call never gets a container that another call
// has used, unless it was rolled back.
import {ok, type Outcome} from '../outcome.ts';
import type {Container, ContainerLife} from './container-life.ts';
import type {ContainerLimits} from './container-limits.ts';
import {failedAt, type LifeProblem} from './life-problem.ts';

export interface ContainerPoolOptions<Worker> {
  readonly life: ContainerLife<Worker>;
  readonly max: number;
  readonly kept: number;
}

export interface ContainerPool<Worker> {
  /** Waits while there are too many. */
  acquire(limits: ContainerLimits): Promise<Outcome<Container<Worker>, LifeProblem>>;
  /** Resolves once the container is ready for another call, or gone. Never rejects. */
  release(container: Container<Worker>): Promise<void>;
  /** Of a container that no call has used. */
  giveBack(container: Container<Worker>): void;
  /** Destroys those that are kept. Resolves once those in use were released too, and nothing is left. */
  close(): Promise<void>;
}

export function createContainerPool<Worker>({life, max, kept}: ContainerPoolOptions<Worker>): ContainerPool<Worker> {
  const idle: Container<Worker>[] = [];
  const waiting: (() => void)[] = [];
  let emptied: () => void = () => undefined;
  let [count, renewing] = [0, 0];
  let isClosed = false;

  const mustWait = (): boolean => !isClosed && idle.length === 0 && count >= max;

  function remove(): void {
    count -= 1;
    waiting.shift()?.();
    if (count === 0) emptied();
  }

  async function open(limits: ContainerLimits): Promise<Outcome<Container<Worker>, LifeProblem>> {
    count += 1;
    const opened = await life.open(limits, kept > 0);
    if (!opened.ok) remove();
    if (!opened.ok || !isClosed) return opened;
    await destroy(opened.value);
    return closing;
  }

  async function destroy(container: Container<Worker>): Promise<void> {
    // What cannot be destroyed now is removed by `reap`, once this process has ended.
    await life.destroy(container);
    remove();
  }

  async function renewOrDestroy(container: Container<Worker>): Promise<void> {
    if (isClosed || idle.length + renewing >= Math.max(kept, kept > 0 ? waiting.length : 0)) {
      return await destroy(container);
    }
    renewing += 1;
    const renewed = await life.renew(container);
    renewing -= 1;
    if (!renewed.ok || isClosed) return await destroy(container);
    offer(renewed.value);
  }

  function offer(container: Container<Worker>): void {
    idle.push(container);
    waiting.shift()?.();
  }

  return {
    async acquire(limits) {
      while (mustWait()) await new Promise<void>((resolve) => waiting.push(resolve));
      if (isClosed) return closing;
      const container = idle.pop();
      if (container === undefined) return await open(limits);
      const limited = await life.limit(container, limits);
      if (limited.ok) return ok(container);
      await destroy(container);
      return await open(limits);
    },
    release: renewOrDestroy,
    giveBack: offer,
    async close() {
      isClosed = true;
      for (const proceed of waiting.splice(0)) proceed();
      const isEmpty = new Promise<void>((resolve) => (emptied = resolve));
      await Promise.all(idle.splice(0).map(destroy));
      if (count > 0) await isEmpty;
    },
  };
}

const closing = failedAt('copied', {kind: 'other', message: 'the host is closing'});
