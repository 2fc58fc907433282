// What this runtime is: who asks, lanes, packs and the sandbox.
import {diagnoseSandbox, type DoctorReport} from '@lumenflow/sandbox';
import {ok, refuse} from '../reply.ts';
import type {Route} from '../route.ts';

const showCaller: Route = {
  method: 'GET',
  path: '/v1/caller',
  summary: 'The name and role of the token that asks',
  role: 'agent',
  handle: ({caller: {name, role}}) => ok({name, role}),
};

const listLanes: Route = {
  method: 'GET',
  path: '/v1/lanes',
  summary: 'Lanes, their limits and how many tasks each holds now',
  role: 'agent',
  handle({runtime}) {
    const tasks = runtime.listTasks();
    const lanes = [...runtime.workspace.lanes.values()].map(({spec}) => ({
      ...spec,
      in_progress: tasks.filter(
        ({lane_id, state}) => lane_id === spec.id && (state === 'active' || state === 'blocked'),
      ).length,
    }));
    const {id, security} = runtime.workspace.spec;
    return ok({workspace_id: id, allowed_scopes: security.allowed_scopes, lanes});
  },
};

const listPacks: Route = {
  method: 'GET',
  path: '/v1/packs',
  summary: 'Packs, where they come from and the tools they declare',
  role: 'operator',
  handle({runtime}) {
    const packs = [...runtime.workspace.packs.values()].map(({pin, manifest, integrity}) => ({
      id: manifest.id,
      version: manifest.version,
      integrity,
      source: pin.source,
      trust: pin.trust ?? 'sandboxed',
      ...(manifest.description !== undefined && {description: manifest.description}),
      tools: manifest.tools.map(({name, description, permission, required_scopes}) => ({
        name,
        description,
        permission,
        required_scopes: required_scopes ?? [],
      })),
    }));
    return ok({packs});
  },
};

const checkpoint: Route = {
  method: 'POST',
  path: '/v1/evidence/checkpoint',
  summary: 'Signs a tree head over all records, and gives the note',
  role: 'operator',
  body: {type: 'object', properties: {}, additionalProperties: false},
  handle: async ({runtime}) => ok({checkpoint: await runtime.evidence.checkpoint()}),
};

export function createWorkspaceRoutes(): readonly Route[] {
  let underWay: Promise<DoctorReport> | undefined;
  const doctor: Route = {
    method: 'GET',
    path: '/v1/sandbox',
    summary: 'What of a sandbox this machine can hold, tried out now',
    role: 'operator',
    async handle({host: {sandbox}}) {
      if (!sandbox) return refuse('ROUTE_NOT_FOUND', 'this server was started without a sandbox to look at');
      underWay ??= diagnoseSandbox([sandbox]).finally(() => {
        underWay = undefined;
      });
      return ok({report: await underWay, ...(sandbox.warmPool && {warm_pool: sandbox.warmPool()})});
    },
  };
  return [showCaller, listLanes, listPacks, checkpoint, doctor];
}
