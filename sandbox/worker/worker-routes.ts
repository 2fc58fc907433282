// What a worker does for a host, by method and path. Every request was verified before.
import {contentBytesMax, unpackContents} from '../remote/packed-contents.ts';
import {encodeBatch} from '../remote/output-batch.ts';
import {protocol, type AcceptedExecution, type WorkerReport} from '../remote/worker-report.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {ContentStore} from './content-store.ts';
import type {ExecutionOptions} from './execution.ts';
import type {ExecutionTable} from './execution-table.ts';
import type {Outcome} from '../outcome.ts';

export interface RoutedRequest {
  readonly method: string;
  readonly url: URL;
  readonly idempotencyKey: string | undefined;
  readonly body: Buffer;
  /** The key of the host. */
  readonly owner: string;
  /** The id of the worker's key that the host trusts. */
  readonly recipient: string;
  /** Aborts when the host has closed the connection. */
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly status: number;
  readonly type: 'application/json' | 'application/octet-stream';
  readonly body: Buffer;
}

export interface RouteContext {
  readonly name: string;
  /** Of LumenFlow. */
  readonly version: string;
  readonly executions: ExecutionTable;
  readonly contents: ContentStore;
  report(): Promise<WorkerReport>;
  mechanism(): Promise<Outcome<ExecutionOptions['mechanism']>>;
  readonly pollMs: number;
}

/** Of a whole request. */
export const bodyBytesMax: number = contentBytesMax + 1024;

export async function answerRequest(request: RoutedRequest, context: RouteContext): Promise<Reply> {
  const {method, url} = request;
  const execution = /^\/v1\/executions\/([\w-]+)(\/input|\/output)?$/.exec(url.pathname);
  if (execution !== null)
    return await answerOf(execution[1] ?? '', `${method} ${execution[2] ?? ''}`, request, context);
  switch (`${method} ${url.pathname}`) {
    case 'GET /v1/worker':
      return json(200, await context.report());
    case 'POST /v1/worker/drain':
      context.executions.isDraining = true;
      return json(200, await context.report());
    case 'POST /v1/contents/missing':
      return missing(request, context);
    case 'PUT /v1/contents':
      return store(request, context);
    case 'POST /v1/executions':
      return await create(request, context);
    default:
      return refused(404, {message: `\`${method} ${url.pathname}\` does not exist`, help: 'update LumenFlow'});
  }
}

async function create({idempotencyKey, owner, recipient}: RoutedRequest, context: RouteContext): Promise<Reply> {
  if (idempotencyKey === undefined) {
    return refused(400, {message: 'the request has no idempotency key', help: 'send `Idempotency-Key`'});
  }
  const mechanism = await context.mechanism();
  if (!mechanism.ok) return refused(503, mechanism.problem);
  const created = context.executions.create({owner, key: idempotencyKey, recipient}, mechanism.value);
  if (!created.ok) return refused(created.problem.retryable === undefined ? 409 : 503, created.problem);
  const {backend, version, tier, guarantees} = mechanism.value.report;
  const accepted: AcceptedExecution = {
    id: created.value.id,
    protocol,
    version: context.version,
    worker: context.name,
    enforced: {backend, version, tier, guarantees},
  };
  return json(201, accepted);
}

async function answerOf(
  id: string,
  route: string,
  {url, body, owner, signal}: RoutedRequest,
  {executions, pollMs}: RouteContext,
): Promise<Reply> {
  const found = executions.find(id, owner);
  if (found === undefined) {
    return refused(404, {
      message: `the execution ${id} does not exist`,
      help: 'the worker was restarted, or it has ended',
    });
  }
  const {input, output} = found.execution;
  switch (route) {
    case 'POST /input': {
      const number = Number(url.searchParams.get('number'));
      if (!Number.isSafeInteger(number) || number < 1 || !input.take(number, body)) {
        return refused(409, {message: 'a part of the input before this one is missing', help: 'send it first'});
      }
      return json(200, {});
    }
    case 'GET /output': {
      const after = Number(url.searchParams.get('after'));
      const batch = await output.after(after, AbortSignal.any([signal, AbortSignal.timeout(pollMs)]));
      if (batch === undefined) return {status: 204, type: 'application/octet-stream', body: Buffer.alloc(0)};
      return {status: 200, type: 'application/octet-stream', body: encodeBatch(batch)};
    }
    case 'DELETE ':
      await executions.end(found);
      return json(200, {});
    default:
      return refused(405, {message: `the method is not allowed for \`${url.pathname}\``, help: 'update LumenFlow'});
  }
}

function missing({body, owner}: RoutedRequest, {contents}: RouteContext): Reply {
  const digests = parse(body);
  if (!Array.isArray(digests) || !digests.every((each) => typeof each === 'string')) return refused(400, notDigests);
  return json(200, contents.of(owner).missing(digests));
}

const notDigests = {message: 'the body is not a list of digests', help: 'send JSON'};

function store({body, owner}: RoutedRequest, {contents}: RouteContext): Reply {
  const own = contents.of(owner);
  const unpacked = unpackContents(body);
  if (unpacked === undefined) return refused(400, {message: 'the contents are incomplete', help: 'send them again'});
  return json(
    200,
    unpacked.map((content) => own.put(content)),
  );
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

export function refused(status: number, problem: SandboxProblem): Reply {
  return json(status, {problem});
}

function json(status: number, value: unknown): Reply {
  return {status, type: 'application/json', body: Buffer.from(JSON.stringify(value))};
}
