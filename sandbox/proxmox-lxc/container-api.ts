// What is asked of Proxmox VE about containers.
import {ok, type Outcome} from '../outcome.ts';
import {makeChange} from './make-change.ts';
import type {Pacing} from './pacing.ts';
import type {ProxmoxApi, ProxmoxRequest} from './proxmox-api.ts';
import type {ProxmoxFailure} from './proxmox-failure.ts';

export type Result<T = void> = Outcome<T, ProxmoxFailure>;

/** As Proxmox VE writes it: `net0`, `mp0`, `features` and so on. */
export type ContainerConfig = Readonly<Record<string, unknown>>;

export interface ListedContainer {
  readonly vmid: number | string;
  readonly name?: string;
}

export interface ContainerApi {
  version(): Promise<Result<string>>;
  freeId(): Promise<Result<number>>;
  list(): Promise<Result<readonly ListedContainer[]>>;
  clone(from: number, parameters: Readonly<Record<string, string | number>>): Promise<Result>;
  config(id: number): Promise<Result<ContainerConfig>>;
  configure(id: number, parameters: Readonly<Record<string, string | number>>): Promise<Result>;
  start(id: number): Promise<Result>;
  stop(id: number): Promise<Result>;
  /** Bytes that the container may use now, as its node reports it. */
  memoryBytes(id: number): Promise<Result<number>>;
  /** Its addresses, without those of its loopback. */
  addresses(id: number): Promise<Result<readonly string[]>>;
  snapshot(id: number, name: string): Promise<Result>;
  /** Ends what runs in it. */
  rollBack(id: number, name: string): Promise<Result>;
  destroy(id: number): Promise<Result>;
}

interface Interface {
  readonly name: string;
  readonly inet?: string;
  readonly inet6?: string;
}

export function createContainerApi(api: ProxmoxApi, node: string, pacing: Pacing): ContainerApi {
  const all = `/nodes/${node}/lxc`;

  const change = (request: ProxmoxRequest): Promise<Result> => makeChange(request, {api, pacing});

  return {
    async version() {
      const answer = await api<{readonly version: string}>({method: 'GET', path: '/version'});
      return answer.ok ? ok(answer.value.version) : answer;
    },
    async freeId() {
      const answer = await api<string | number>({method: 'GET', path: '/cluster/nextid'});
      return answer.ok ? ok(Number(answer.value)) : answer;
    },
    list: () => api({method: 'GET', path: all}),
    clone: (from, parameters) => change({method: 'POST', path: `${all}/${from}/clone`, parameters}),
    config: (id) => api({method: 'GET', path: `${all}/${id}/config`}),
    configure: (id, parameters) => change({method: 'PUT', path: `${all}/${id}/config`, parameters}),
    start: (id) => change({method: 'POST', path: `${all}/${id}/status/start`}),
    stop: (id) => change({method: 'POST', path: `${all}/${id}/status/stop`}),
    async memoryBytes(id) {
      const answer = await api<{readonly maxmem: number}>({method: 'GET', path: `${all}/${id}/status/current`});
      return answer.ok ? ok(answer.value.maxmem) : answer;
    },
    async addresses(id) {
      const answer = await api<readonly Interface[] | null>({method: 'GET', path: `${all}/${id}/interfaces`});
      return answer.ok ? ok((answer.value ?? []).flatMap(addressesOf)) : answer;
    },
    snapshot: (id, snapname) => change({method: 'POST', path: `${all}/${id}/snapshot`, parameters: {snapname}}),
    rollBack: (id, name) => change({method: 'POST', path: `${all}/${id}/snapshot/${name}/rollback`}),
    destroy: (id) => change({method: 'DELETE', path: `${all}/${id}`, parameters: {purge: 1, force: 1}}),
  };
}

function addressesOf({name, inet, inet6}: Interface): readonly string[] {
  const found = [inet, inet6].flatMap((address) => address?.split('/')[0] ?? []);
  return name === 'lo' ? [] : found.filter((address) => !address.toLowerCase().startsWith('fe80:'));
}
