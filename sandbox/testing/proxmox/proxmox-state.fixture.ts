// The containers, locks and tasks of the stand-in for Proxmox VE, with its sentences for what it refuses.
import type {ContainerEngine} from './container-engine.fixture.ts';

export type Parameters = Readonly<Record<string, string>>;
type Config = Record<string, string | number>;

export class Refusal extends Error {
  /** Undefined: the connection ends without an answer. */
  readonly status: number | undefined;
  readonly errors: Readonly<Record<string, string>> | undefined;

  constructor(status: number | undefined, message: string, errors?: Readonly<Record<string, string>>) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

interface KnownContainer {
  config: Config;
  status: 'running' | 'stopped';
  lock: string | undefined;
  readonly snapshots: Map<string, Config>;
}

interface Task {
  status: 'running' | 'stopped';
  exitstatus?: string;
}

const node = 'pve1';
const copied = ['unprivileged', 'features', 'net0', 'memory', 'swap', 'cores', 'ostype', 'arch'];

export class ProxmoxState {
  readonly containers = new Map<number, KnownContainer>();
  readonly tasks = new Map<string, Task>();
  readonly #engine: ContainerEngine;
  #count = 0;

  constructor(engine: ContainerEngine) {
    this.#engine = engine;
  }

  add(id: number, config: Config): void {
    this.containers.set(id, {config, status: 'stopped', lock: undefined, snapshots: new Map()});
  }

  get(id: number): KnownContainer {
    const found = this.containers.get(id);
    if (found === undefined) {
      throw new Refusal(500, `Configuration file 'nodes/${node}/lxc/${id}.conf' does not exist`);
    }
    return found;
  }

  freeId(): string {
    let id = 100;
    while (this.containers.has(id)) id += 1;
    return String(id);
  }

  list(): readonly object[] {
    return [...this.containers].map(([vmid, {config, status, lock}]) => ({
      vmid,
      name: config['hostname'],
      status,
      tags: config['tags'],
      ...(lock !== undefined && {lock}),
      ...(config['template'] === 1 && {template: 1}),
    }));
  }

  clone(from: number, {newid, hostname, snapname, pool}: Parameters): string {
    const source = this.get(from);
    const id = Number(newid);
    if (this.containers.has(id))
      throw new Refusal(500, `unable to create CT ${id} - CT ${id} already exists on node '${node}'`);
    if (source.lock !== undefined) throw new Refusal(500, `CT is locked (${source.lock})`);
    if (snapname === undefined && source.config['template'] !== 1) {
      throw new Refusal(500, 'Full clone of a running container is only possible from a snapshot');
    }
    if (snapname !== undefined && !source.snapshots.has(snapname)) {
      throw new Refusal(500, `snapshot '${snapname}' does not exist`);
    }
    this.add(id, {});
    const made = this.get(id);
    made.lock = 'create';
    return this.task(
      'vzclone',
      from,
      async () => {
        await this.#engine.copy(from, id);
        const kept = Object.entries(source.config).filter(
          ([name]) => copied.includes(name) || /^(mp|net|dev)\d+$/.test(name),
        );
        made.config = {...Object.fromEntries(kept), hostname: hostname ?? `CT${id}`, pool: pool ?? ''};
        made.lock = undefined;
      },
      () => void this.containers.delete(id),
    );
  }

  configure(id: number, parameters: Parameters): null {
    const container = this.unlocked(id);
    for (const [name, value] of Object.entries(parameters)) {
      container.config[name] = /^\d+$/.test(value) ? Number(value) : value;
    }
    if (container.status === 'running') void this.#engine.limit(id, settingsOf(container));
    return null;
  }

  start(id: number): string {
    const container = this.unlocked(id);
    if (container.status === 'running') throw new Refusal(500, `CT ${id} already running`);
    return this.task('vzstart', id, async () => {
      await this.#engine.start(id, settingsOf(container));
      container.status = 'running';
    });
  }

  stop(id: number): string {
    const container = this.unlocked(id);
    return this.task('vzstop', id, async () => await this.#end(id, container));
  }

  snapshot(id: number, {snapname = ''}: Parameters): string {
    const container = this.unlocked(id);
    return this.task('vzsnapshot', id, async () => {
      await this.#engine.save(id, snapname);
      container.snapshots.set(snapname, {...container.config});
    });
  }

  rollBack(id: number, name: string): string {
    const container = this.unlocked(id);
    const saved = container.snapshots.get(name);
    if (saved === undefined) throw new Refusal(500, `snapshot '${name}' does not exist`);
    return this.task('vzrollback', id, async () => {
      container.lock = 'rollback';
      await this.#end(id, container);
      await this.#engine.restore(id, name);
      container.config = {...saved};
      container.lock = undefined;
    });
  }

  destroy(id: number, {force}: Parameters): string {
    const container = this.unlocked(id);
    if (container.status === 'running' && force !== '1')
      throw new Refusal(500, `CT ${id} is running - destroy failed!`);
    container.lock = 'destroyed';
    return this.task('vzdestroy', id, async () => {
      await this.#end(id, container);
      await this.#engine.remove(id);
      this.containers.delete(id);
    });
  }

  current(id: number): object {
    const {status, config} = this.get(id);
    return {vmid: id, status, maxmem: Number(config['memory'] ?? 512) * 1024 ** 2, cpus: config['cores'] ?? 1};
  }

  interfaces(id: number): readonly object[] | null {
    if (this.get(id).status !== 'running') return null;
    return [
      {name: 'lo', inet: '127.0.0.1/8', inet6: '::1/128'},
      {name: 'eth0', hwaddr: 'bc:24:11:00:00:01', inet: `${this.#engine.addressOf(id)}/24`, inet6: 'fe80::1/64'},
    ];
  }

  /** `undo`: of a task that failed. */
  task(type: string, id: number, run: () => Promise<void>, undo?: () => void): string {
    this.#count += 1;
    const upid = `UPID:${node}:${hex(this.#count)}:00000001:00000001:${type}:${id}:lumenflow@pve!host:`;
    const task: Task = {status: 'running'};
    this.tasks.set(upid, task);
    const end = (exitstatus: string): void => void Object.assign(task, {status: 'stopped', exitstatus});
    void run().then(
      () => end('OK'),
      (error: unknown) => {
        undo?.();
        end(error instanceof Error ? error.message : String(error));
      },
    );
    return upid;
  }

  unlocked(id: number): KnownContainer {
    const container = this.get(id);
    if (container.lock !== undefined) throw new Refusal(500, `CT is locked (${container.lock})`);
    return container;
  }

  async #end(id: number, container: KnownContainer): Promise<void> {
    if (container.status === 'running') await this.#engine.stop(id);
    container.status = 'stopped';
  }
}

function settingsOf({config}: Pick<KnownContainer, 'config'>): {readonly memory: number; readonly cores: number} {
  return {memory: Number(config['memory'] ?? 512), cores: Number(config['cores'] ?? 1)};
}

function hex(value: number): string {
  return value.toString(16).toUpperCase().padStart(8, '0');
}
