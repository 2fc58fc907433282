// A life of containers over a stand-in for Proxmox VE that runs nothing: the worker of each is its address.
import {emptyEngine} from './container-engine.fixture.ts';
import {createProxmoxStandIn, type ProxmoxStandIn} from './proxmox-stand-in.fixture.ts';
import type {Refusal} from './proxmox-state.fixture.ts';
import {ok, failed} from '../../outcome.ts';
import {createContainerApi, type ContainerApi} from '../../proxmox-lxc/container-api.ts';
import {createContainerLife, type ContainerLife} from '../../proxmox-lxc/container-life.ts';
import {newContainerName} from '../../proxmox-lxc/container-name.ts';
import type {Pacing} from '../../proxmox-lxc/pacing.ts';
import type {ProxmoxApi} from '../../proxmox-lxc/proxmox-api.ts';
import {proxmoxFailure} from '../../proxmox-lxc/proxmox-failure.ts';

export const templateConfig = {
  template: 1,
  unprivileged: 1,
  features: 'nesting=1',
  hostname: 'template',
  net0: 'name=eth0,bridge=vmbr1,ip=dhcp',
  memory: 512,
};
export const someLimits = {memory: 1024, swap: 0, cores: 2};

export interface LifeBench {
  readonly server: ProxmoxStandIn;
  readonly api: ContainerApi;
  readonly life: ContainerLife<string>;
  /** Ids of containers without the template. */
  ids(): readonly number[];
  /** How often the worker does not answer at first. */
  silent: number;
}

/** Milliseconds pass at once. */
function quickPacing(): Pacing {
  let ms = 0;
  return {
    now: () => ms,
    async wait(waited) {
      ms += waited;
      await new Promise((resolve) => setImmediate(resolve));
    },
    random: () => 0.5,
  };
}

export function createLifeBench(): LifeBench {
  const server = createProxmoxStandIn(emptyEngine());
  server.state.add(9000, {...templateConfig});
  const pacing = quickPacing();
  const api = createContainerApi(directApi(server), 'pve1', pacing);
  const bench: LifeBench = {
    server,
    api,
    silent: 0,
    ids: () => [...server.state.containers.keys()].filter((id) => id !== 9000),
    life: createContainerLife<string>({
      api,
      pacing,
      source: {template: 9000, snapshot: undefined, pool: 'lumenflow'},
      newName: newContainerName,
      async reach(address) {
        bench.silent -= 1;
        return bench.silent < 0 ? ok(address) : failed({message: 'nothing answers', help: ''});
      },
      leave: async () => undefined,
    }),
  };
  return bench;
}

/** Without a server between. */
function directApi(standIn: ProxmoxStandIn): ProxmoxApi {
  return async <T>({method, path, parameters = {}}: Parameters<ProxmoxApi>[0]) => {
    const given = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
    try {
      return ok(standIn.answer(`${method} ${path}`, given) as T);
    } catch (error) {
      const {status, message} = error as Refusal;
      return failed(status === undefined ? {kind: 'unreachable', message} : proxmoxFailure(message, status));
    }
  };
}
