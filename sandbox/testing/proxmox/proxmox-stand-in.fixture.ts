// The part of the REST API of Proxmox VE that LumenFlow uses, without its transport: tasks, locks and refusals. Faults are data: what
// users of such servers have reported.
import type {ContainerEngine} from './container-engine.fixture.ts';
import {ProxmoxState, Refusal, type Parameters} from './proxmox-state.fixture.ts';

/** Replaces answers to matching requests: `METHOD /path`. */
export interface Fault {
  readonly of: RegExp;
  /** How many of them; default 1. */
  readonly times?: number;
  /** Those before it are answered as usual. */
  readonly after?: number;
  readonly status?: number;
  readonly message?: string;
  readonly errors?: Readonly<Record<string, string>>;
  /** The request is done, and the connection closed without an answer. */
  readonly isDropped?: true;
  /** A task that ends with it in place of the request. */
  readonly exitStatus?: string;
}

export interface ProxmoxStandIn {
  readonly state: ProxmoxState;
  /** `METHOD /path` of what was asked, in order. */
  readonly asked: readonly string[];
  fail(...faults: readonly Fault[]): void;
  /** Throws `Refusal`. */
  answer(request: string, parameters: Parameters): unknown;
}

type Route = readonly [RegExp, (state: ProxmoxState, id: number, parameters: Parameters, name: string) => unknown];

const container = String.raw`/nodes/pve1/lxc/(\d+)`;
const routes: readonly Route[] = [
  [/^GET \/version$/, () => ({version: '8.4.1', release: '8.4'})],
  [/^GET \/cluster\/nextid$/, (state) => state.freeId()],
  [/^GET \/nodes\/pve1\/lxc$/, (state) => state.list()],
  [new RegExp(`^POST ${container}/clone$`), (state, id, parameters) => state.clone(id, parameters)],
  [new RegExp(`^GET ${container}/config$`), (state, id) => state.get(id).config],
  [new RegExp(`^PUT ${container}/config$`), (state, id, parameters) => state.configure(id, parameters)],
  [new RegExp(`^POST ${container}/status/start$`), (state, id) => state.start(id)],
  [new RegExp(`^POST ${container}/status/stop$`), (state, id) => state.stop(id)],
  [new RegExp(`^GET ${container}/status/current$`), (state, id) => state.current(id)],
  [new RegExp(`^GET ${container}/interfaces$`), (state, id) => state.interfaces(id)],
  [new RegExp(`^POST ${container}/snapshot$`), (state, id, parameters) => state.snapshot(id, parameters)],
  [new RegExp(`^POST ${container}/snapshot/([^/]+)/rollback$`), (state, id, _, name) => state.rollBack(id, name)],
  [new RegExp(`^DELETE ${container}$`), (state, id, parameters) => state.destroy(id, parameters)],
];

export function createProxmoxStandIn(engine: ContainerEngine): ProxmoxStandIn {
  const state = new ProxmoxState(engine);
  const faults: {readonly fault: Fault; seen: number}[] = [];
  const asked: string[] = [];

  function faultOf(request: string): Fault | undefined {
    const matching = faults.filter(({fault}) => fault.of.test(request));
    for (const each of matching) each.seen += 1;
    return matching.find(({fault: {after = 0, times = 1}, seen}) => seen > after && seen <= after + times)?.fault;
  }

  return {
    state,
    asked,
    fail: (...more) => void faults.push(...more.map((fault) => ({fault, seen: 0}))),
    answer(request, parameters) {
      asked.push(request);
      const fault = faultOf(request);
      if (fault === undefined) return answerOf(state, request, parameters);
      const {exitStatus, isDropped, status = 500, message = '', errors} = fault;
      if (exitStatus !== undefined) {
        return state.task('fault', 0, async () => await Promise.reject(new Error(exitStatus)));
      }
      if (isDropped === true) answerOf(state, request, parameters);
      throw new Refusal(isDropped === true ? undefined : status, message, errors);
    },
  };
}

function answerOf(state: ProxmoxState, request: string, parameters: Parameters): unknown {
  const task = /^GET \/nodes\/pve1\/tasks\/([^/]+)\/status$/.exec(request)?.[1];
  if (task !== undefined) {
    const found = state.tasks.get(decodeURIComponent(task));
    if (found === undefined) throw new Refusal(500, 'no such task');
    return found;
  }
  for (const [pattern, act] of routes) {
    const [, id, name = ''] = pattern.exec(request) ?? [];
    if (pattern.test(request)) return act(state, Number(id), parameters, name);
  }
  throw new Refusal(501, `Method '${request}' not implemented`);
}
