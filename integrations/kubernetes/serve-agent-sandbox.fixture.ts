// A stand-in for a cluster with agent-sandbox: it accepts the SandboxClaims that its published API describes, and no others, and gives each
// a Pod of the pool.
import {once} from 'node:events';
import {createServer, type IncomingMessage} from 'node:http';
import type {AddressInfo} from 'node:net';
import {json} from 'node:stream/consumers';
import type {V1ObjectMeta, V1Pod, V1PodSpec} from '@kubernetes/client-node';

export interface SandboxClaim {
  readonly metadata: V1ObjectMeta;
  readonly spec: {
    readonly lifecycle?: {readonly shutdownTime?: string};
    readonly additionalPodMetadata?: {readonly labels?: Record<string, string>};
  };
}

export interface ServedSandboxes {
  /** A kubeconfig, in JSON. */
  readonly config: string;
  readonly claims: Map<string, SandboxClaim>;
  readonly pods: Map<string, V1Pod>;
  close(): Promise<void>;
}

const claimsPath = '/apis/extensions.agents.x-k8s.io/v1beta1/namespaces/lumenflow/sandboxclaims';
const podsPath = '/api/v1/namespaces/lumenflow/pods';
const fields = {
  spec: ['warmPoolRef', 'lifecycle', 'additionalPodMetadata', 'env', 'volumeClaimTemplates'],
  lifecycle: ['shutdownTime', 'ttlSecondsAfterFinished', 'shutdownPolicy'],
  additionalPodMetadata: ['labels', 'annotations'],
} as const;
const policies: readonly unknown[] = ['Delete', 'DeleteForeground', 'Retain'];

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** `pool`: the spec of its Pods; undefined: agent-sandbox is not installed. */
export async function serveAgentSandbox(pool: V1PodSpec | undefined): Promise<ServedSandboxes> {
  const [claims, pods] = [new Map<string, SandboxClaim>(), new Map<string, V1Pod>()];
  const server = createServer((request, response) => {
    const send = (status: number, body: object): void => {
      response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body));
    };
    answer(request, {pool, claims, pods}).then(
      (body) => send(200, body),
      (error: unknown) => send(error instanceof Refused ? error.status : 500, {message: String(error)}),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    config: kubeconfig((server.address() as AddressInfo).port),
    claims,
    pods,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type State = Pick<ServedSandboxes, 'claims' | 'pods'> & {readonly pool: V1PodSpec | undefined};

async function answer(request: IncomingMessage, state: State): Promise<object> {
  const {pool, claims, pods} = state;
  const {pathname, searchParams} = new URL(request.url ?? '', 'http://cluster');
  const isOfClaims = pathname.startsWith(claimsPath);
  if (isOfClaims && pool === undefined) throw new Refused(404, 'page not found');
  const name = isOfClaims ? pathname.slice(claimsPath.length + 1) : '';
  const selected = [...pods].filter(([, {metadata}]) => hasLabel(metadata, searchParams.get('labelSelector')));
  switch (`${request.method} ${isOfClaims ? claimsPath : pathname}`) {
    case `POST ${claimsPath}`:
      return create((await json(request)) as SandboxClaim, state);
    case `GET ${claimsPath}`:
      return {items: [...claims.values()]};
    case `DELETE ${claimsPath}`:
      if (!claims.delete(name)) throw new Refused(404, `sandboxclaims "${name}" not found`);
      return {status: 'Success'};
    case `GET ${podsPath}`:
      return {items: selected.map(([, pod]) => pod)};
    case `DELETE ${podsPath}`:
      for (const [id] of selected) pods.delete(id);
      return {items: []};
    default:
      return {items: []};
  }
}

function create(claim: SandboxClaim, {pool, claims, pods}: State): object {
  checkClaim(claim);
  const {name = ''} = claim.metadata;
  const container = {name: 'call', image: '', imageID: '', ready: true, restartCount: 0};
  claims.set(name, claim);
  pods.set(`pool-${name}`, {
    metadata: {name: `pool-${name}`, labels: claim.spec.additionalPodMetadata?.labels ?? {}},
    ...(pool && {spec: pool}),
    status: {phase: 'Running', containerStatuses: [{...container, state: {running: {startedAt: new Date()}}}]},
  });
  return claim;
}

function checkClaim({spec}: {readonly spec: object}): void {
  const parts = spec as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  for (const [part, allowed] of Object.entries(fields)) {
    const given = part === 'spec' ? spec : (parts[part] ?? {});
    const unknown = Object.keys(given).find((field) => !(allowed as readonly string[]).includes(field));
    if (unknown !== undefined) throw new Refused(422, `unknown field "${part}.${unknown}"`);
  }
  const {shutdownTime, shutdownPolicy, ttlSecondsAfterFinished} = parts['lifecycle'] ?? {};
  if (typeof parts['warmPoolRef']?.['name'] !== 'string')
    throw new Refused(422, 'spec.warmPoolRef.name: Required value');
  if (!policies.includes(shutdownPolicy)) throw new Refused(422, 'spec.lifecycle.shutdownPolicy: Unsupported value');
  if (!Number.isInteger(ttlSecondsAfterFinished)) throw new Refused(422, 'ttlSecondsAfterFinished: Invalid value');
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u.test(String(shutdownTime))) throw new Refused(422, 'shutdownTime: Invalid value');
}

function hasLabel(metadata: V1ObjectMeta | undefined, selector: string | null): boolean {
  const [key = '', value] = (selector ?? '').split('=');
  return metadata?.labels?.[key] === value;
}

function kubeconfig(port: number): string {
  return JSON.stringify({
    clusters: [{name: 'made', cluster: {server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true}}],
    users: [{name: 'host', user: {token: 'token'}}],
    contexts: [{name: 'made', context: {cluster: 'made', user: 'host'}}],
    'current-context': 'made',
  });
}
