// The runtime: its caller, lanes, packs and sandbox.
import {countsTowardsWip} from '@lumenflow/kernel';
import {diagnoseSandbox, type DoctorReport, type WarmPoolCounters} from '@lumenflow/sandbox';
import {okReply, refuse} from '../reply.ts';
import type {Route} from '../route.ts';

const showCaller: Route = {
  method: 'GET',
  path: '/v1/caller',
  summary: 'Returns the name and role of the token, and the person who signed in',
  role: 'agent',
  answers: {200: 'http_caller'},
  handle: ({caller: {name, role, person}}) => okReply({name, role, ...(person && {person})}),
};

const listLanes: Route = {
  method: 'GET',
  path: '/v1/lanes',
  summary: 'Lists lanes with their limits and current number of tasks',
  role: 'agent',
  answers: {200: 'http_lane_list'},
  handle({runtime}) {
    const tasks = runtime.listTasks();
    const lanes = [...runtime.workspace.lanes.values()].map(({spec}) => ({
      spec,
      in_progress: tasks.filter((task) => task.lane_id === spec.id && countsTowardsWip(task)).length,
    }));
    const {id, security} = runtime.workspace.spec;
    return okReply({workspace_id: id, allowed_scopes: security.allowed_scopes, lanes});
  },
};

const listPacks: Route = {
  method: 'GET',
  path: '/v1/packs',
  summary: 'Lists packs with their source and tools',
  role: 'operator',
  answers: {200: 'http_pack_list'},
  handle({runtime}) {
    const packs = [...runtime.workspace.packs.values()].map(({pin, manifest, integrity}) => ({
      id: manifest.id,
      version: manifest.version,
      integrity,
      source: pin.source,
      trust: pin.trust ?? 'sandboxed',
      ...(manifest.description !== undefined && {description: manifest.description}),
      task_types: manifest.task_types,
      state_aliases: manifest.state_aliases ?? {},
      tools: manifest.tools.map(({name, description, permission, required_scopes}) => ({
        name,
        description,
        permission,
        required_scopes: required_scopes ?? [],
      })),
    }));
    return okReply({packs});
  },
};

const checkpoint: Route = {
  method: 'POST',
  path: '/v1/evidence/checkpoint',
  summary: 'Signs a tree head over all records and returns the signed note',
  role: 'operator',
  body: {type: 'object', properties: {}, additionalProperties: false},
  answers: {200: 'http_checkpoint'},
  handle: async ({runtime}) => okReply({checkpoint: await runtime.evidence.checkpoint()}),
};

function warmPoolOf({spareMemoryBytes, ...counts}: WarmPoolCounters): object {
  return {...counts, spare_memory_bytes: spareMemoryBytes};
}

export function createWorkspaceRoutes(): readonly Route[] {
  let underWay: Promise<DoctorReport> | undefined;
  const doctor: Route = {
    method: 'GET',
    path: '/v1/sandbox',
    summary: 'Tests which sandbox features this machine can enforce',
    role: 'operator',
    answers: {200: 'http_sandbox'},
    refuses: ['ROUTE_NOT_FOUND'],
    async handle({host: {sandbox}}) {
      if (!sandbox) return refuse('ROUTE_NOT_FOUND', 'this server was started without a sandbox');
      underWay ??= diagnoseSandbox([sandbox]).finally(() => {
        underWay = undefined;
      });
      const counters = sandbox.warmPool();
      return okReply({report: await underWay, ...(counters && {warm_pool: warmPoolOf(counters)})});
    },
  };
  return [showCaller, listLanes, listPacks, checkpoint, doctor];
}
