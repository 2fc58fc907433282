// The life of a container: copied, checked, limited, started, reached; rolled back for a later call, or destroyed. A container
// that fails a step is destroyed, and nothing is destroyed that is not this one.
import {ok, type Outcome} from '../outcome.ts';
import type {ContainerApi} from './container-api.ts';
import type {ContainerLimits} from './container-limits.ts';
import {containerTag} from './container-name.ts';
import {copyTemplate, type ContainerSource} from './copy-template.ts';
import {failedAt, type LifeProblem} from './life-problem.ts';
import {proxmoxFailure, type ProxmoxFailure} from './proxmox-failure.ts';
import {reachContainer, type ContainerReach} from './reach-container.ts';
import {whyNotConfined} from './why-not-confined.ts';

export interface ContainerLifeOptions<Worker> extends ContainerReach<Worker> {
  readonly api: ContainerApi;
  readonly source: ContainerSource;
  newName(): string;
  /** Ends the connection. */
  leave(worker: Worker): Promise<void>;
}

export interface ContainerId {
  readonly id: number;
  /** Of this container alone. */
  readonly name: string;
}

export interface Container<Worker> extends ContainerId {
  readonly worker: Worker;
}

type Life<T> = Outcome<T, LifeProblem>;
type Opened<Worker> = Life<Container<Worker>>;

export interface ContainerLife<Worker> {
  /** `isKept`: whether it can be renewed. */
  open(limits: ContainerLimits, isKept: boolean): Promise<Opened<Worker>>;
  /** Of a container that is started. */
  limit(container: ContainerId, limits: ContainerLimits): Promise<Life<undefined>>;
  /** Brings it back to what it was before it was started, and starts it. */
  renew(container: Container<Worker>): Promise<Opened<Worker>>;
  /** Ends what runs in it, and removes it. Succeeds if it is already gone. */
  destroy(container: ContainerId): Promise<Life<undefined>>;
}

const savedState = 'lumenflow';
const mebibyte = 1024 ** 2;

export function createContainerLife<Worker>(options: ContainerLifeOptions<Worker>): ContainerLife<Worker> {
  const {api, source, newName, leave} = options;

  async function begin(container: ContainerId, limits: ContainerLimits, isKept: boolean): Promise<Opened<Worker>> {
    const {id} = container;
    const config = await api.config(id);
    if (!config.ok) return failedAt('accepted', config.problem);
    const reason = whyNotConfined(config.value);
    if (reason !== undefined) return failedAt('accepted', proxmoxFailure(`the container ${reason}`));
    const limited = await api.configure(id, {...limits, tags: containerTag});
    if (!limited.ok) return failedAt('limited', limited.problem);
    const saved = isKept ? await api.snapshot(id, savedState) : limited;
    return saved.ok ? await start(container) : failedAt('saved', saved.problem);
  }

  async function start(container: ContainerId): Promise<Opened<Worker>> {
    const started = await api.start(container.id);
    if (!started.ok) return failedAt('started', started.problem);
    const worker = await reachContainer(container.id, options);
    return worker.ok ? ok({...container, worker: worker.value}) : failedAt('reached', worker.problem);
  }

  async function destroy({id, name}: ContainerId): Promise<Life<undefined>> {
    const config = await api.config(id);
    if (!config.ok) return isGone(config.problem) ? ok(undefined) : failedAt('destroyed', config.problem);
    // The id may now be that of another one.
    if (config.value['hostname'] !== name) return ok(undefined);
    const done = await api.destroy(id);
    return done.ok || isGone(done.problem) ? ok(undefined) : failedAt('destroyed', done.problem);
  }

  return {
    async open(limits, isKept) {
      const name = newName();
      const copied = await copyTemplate(name, source, options);
      const opened = copied.ok
        ? await begin({id: copied.value, name}, limits, isKept)
        : failedAt('copied', copied.problem);
      const id = copied.ok ? copied.value : copied.problem.id;
      if (opened.ok || id === undefined) return opened;
      const gone = await destroy({id, name});
      return gone.ok ? opened : failedAt(opened.problem.step, both(opened.problem.failure, id, gone.problem.failure));
    },
    async limit({id}, limits) {
      const done = await api.configure(id, {...limits});
      const bytes = done.ok ? await api.memoryBytes(id) : done;
      if (!bytes.ok) return failedAt('limited', bytes.problem);
      const isSet = bytes.value === limits.memory * mebibyte;
      return isSet ? ok(undefined) : failedAt('limited', proxmoxFailure('its node has not set the limits'));
    },
    async renew({id, name, worker}) {
      await leave(worker);
      const back = await api.rollBack(id, savedState);
      return back.ok ? await start({id, name}) : failedAt('rolled back', back.problem);
    },
    destroy,
  };
}

function isGone({kind}: ProxmoxFailure): boolean {
  return kind === 'absent';
}

function both(first: ProxmoxFailure, id: number, second: ProxmoxFailure): ProxmoxFailure {
  return {...first, message: `${first.message}; container ${id} could not be destroyed: ${second.message}`};
}
