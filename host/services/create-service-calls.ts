// Calls of services: the host makes the request within the call's network, adds the secrets, repeats what may be repeated, and
// wraps failures with the service and what to do.
import type {DispatchOutcome, DispatchRequest} from '@lumenflow/kernel';
import type {ServiceClient, ServiceFailure, ServiceReply} from '@lumenflow/kernel/adapters';
import {createHostNetwork, type HostNetwork} from '@lumenflow/sandbox';
import type {Enforcement, Invocation, ToolOutput} from '@lumenflow/schemas';
import {setTimeout as wait} from 'node:timers/promises';
import {pathToFileURL} from 'node:url';
import {failedOutput} from '../pool/index.ts';
import {hideSecrets, redacted} from '../secrets/hide-secrets.ts';
import {createServers, type OrderServers, type Servers} from './create-servers.ts';
import {entryOf} from './describe-service.ts';
import {loadServiceKind} from './service-kinds.ts';

export interface ServiceCalls {
  run(request: DispatchRequest, invocation: Invocation, timeoutMs: number): Promise<DispatchOutcome>;
  close(): void;
}

export interface ServiceCallsOptions {
  /** Absolute. */
  readonly workspaceRoot: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly orderServers?: OrderServers | undefined;
}

/** Requests of one call. */
const attemptsMax = 3;
const firstDelayMs = 100;

export function createServiceCalls({workspaceRoot, now, orderServers}: ServiceCallsOptions): ServiceCalls {
  const clients = new Map<string, Promise<ServiceClient>>();
  const servers = createServers({now, orderServers});

  const clientFor = (pin: DispatchRequest['tool']['pack']['pin']): Promise<ServiceClient> => {
    const known = clients.get(pin.source);
    if (known) return known;
    const connecting = loadServiceKind(pin, workspaceRoot).then((kind) => {
      if (!kind.ok) throw new Error(`${kind.problem.message}: ${kind.problem.help}`);
      return kind.value.connect();
    });
    clients.set(pin.source, connecting);
    return connecting;
  };

  return {
    async run(request, invocation, timeoutMs) {
      const network = createHostNetwork(request.scope_enforced.network);
      const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(request.signal ? [request.signal] : [])]);
      const client = await clientFor(request.tool.pack.pin);
      const plan = await planOf(request);
      const call: RunningCall = {request, invocation, network, signal, client, plan, endsAt: now() + timeoutMs, now};
      const output = await attempts(call, servers).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        return request.signal?.aborted === true
          ? failedOutput('TOOL_CANCELLED', 'the call was cancelled')
          : failedOutput(
              'TOOL_TIMEOUT',
              `the service \`${request.tool.pack.pin.id}\` did not reply within ${timeoutMs} ms`,
              {
                timeout_ms: timeoutMs,
              },
            );
      });
      return {output, enforcement: enforcementOf(network)};
    },
    close() {
      for (const client of clients.values()) void client.then((open) => open.close());
      clients.clear();
    },
  };
}

interface RunningCall {
  readonly request: DispatchRequest;
  readonly invocation: Invocation;
  readonly network: HostNetwork;
  readonly signal: AbortSignal;
  readonly client: ServiceClient;
  readonly plan: unknown;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
  readonly now: () => number;
}

async function attempts(call: RunningCall, servers: Servers): Promise<ToolOutput> {
  const {request, signal} = call;
  const {pin} = request.tool.pack;
  const tried = new Set<string>();
  const listed = (call.plan as {readonly servers?: readonly string[]}).servers ?? pin.servers ?? [];
  const own = listed.filter((server) => isGranted(call.network, server));
  if (own.length === 0) return notGranted(call, listed);
  for (let attempt = 1; ; attempt++) {
    const chosen = servers.choose(own, {pack: pin.id, tool: request.tool.name, tried});
    if (chosen.server === undefined) return unavailable(pin.id, chosen.waitMs);
    const {server} = chosen;
    tried.add(server);
    const others = own.filter((one) => !tried.has(one)).length;
    const reply = await callInPart(call, server, others).catch((error: unknown) => {
      // A server that is too slow for its calls is as good as down.
      if (request.signal?.aborted !== true) servers.report(pin.id, server, {isUp: false});
      throw error;
    });
    servers.report(pin.id, server, {isUp: reply.ok || !reply.isUnavailable});
    if (reply.ok) return {success: true, data: clean(reply, call, reply.value)};
    // Another server may reply at once.
    const delay = others === 0 ? delayBefore(reply, attempt) : 0;
    const mayRepeat = reply.isUnavailable && (request.tool.declaration.idempotent === true || reply.isUnsent === true);
    const isInTime = call.now() + delay < call.endsAt;
    if (!mayRepeat || !isInTime || attempt === attemptsMax) return wrapped(reply, call, {server, attempt});
    if (delay > 0) await wait(delay, undefined, {signal});
  }
}

function isGranted(network: HostNetwork, server: string): boolean {
  const {hostname, port} = new URL(`http://${entryOf(server)}`);
  return network.lists(hostname, Number(port === '' ? 80 : port));
}

function notGranted({request}: RunningCall, servers: readonly string[]): ToolOutput {
  const message = `the network of the call includes none of the servers of \`${request.tool.pack.pin.id}\`: ${servers.join(', ')}`;
  return failedOutput('SCOPE_DENIED', message, {remedy: 'allow one of them in the scopes of workspace, lane and task'});
}

/** A call that other servers can repeat gets a part of the time, so that one that hangs leaves time for them. */
async function callInPart(call: RunningCall, server: string, others: number): Promise<ServiceReply> {
  if (others === 0 || call.request.tool.declaration.idempotent !== true) return await callOnce(call, server);
  const timeoutMs = Math.max(1, Math.floor((call.endsAt - call.now()) / (others + 1)));
  const brief = AbortSignal.timeout(timeoutMs);
  try {
    return await callOnce(
      {...call, signal: AbortSignal.any([call.signal, brief]), endsAt: call.now() + timeoutMs},
      server,
    );
  } catch (error) {
    if (!brief.aborted || call.signal.aborted) throw error;
    const message = `${server} did not reply within ${timeoutMs} ms`;
    return {ok: false, isUnavailable: true, failure: {code: 'UPSTREAM_UNAVAILABLE', message}};
  }
}

async function callOnce(
  {client, plan, invocation, network, signal, request, endsAt, now}: RunningCall,
  server: string,
): Promise<ServiceReply> {
  const {input} = invocation;
  const env = envOf(invocation);
  signal.throwIfAborted();
  return await client.call({
    plan,
    server,
    input,
    env,
    network,
    signal,
    timeoutMs: Math.max(1, endsAt - now()),
    onProgress: (payload) => request.onProgress(hideSecrets(payload, redacted(Object.values(env)))),
  });
}

function delayBefore({retryAfterMs}: ServiceFailure, attempt: number): number {
  return retryAfterMs ?? firstDelayMs * 2 ** (attempt - 1);
}

function clean({secrets = []}: ServiceReply, {invocation}: RunningCall, value: unknown): unknown {
  return hideSecrets(value, redacted([...Object.values(envOf(invocation)), ...secrets]));
}

/** The type of a JSON Schema map says that any key can be missing. */
function envOf({env}: Invocation): Readonly<Record<string, string>> {
  return env as Readonly<Record<string, string>>;
}

function wrapped(
  reply: ServiceFailure,
  call: RunningCall,
  {server, attempt}: {readonly server: string; readonly attempt: number},
): ToolOutput {
  const {id} = call.request.tool.pack.pin;
  const {code, message, details} = clean(reply, call, reply.failure) as ServiceFailure['failure'];
  const times = attempt === 1 ? '' : ` (${attempt} attempts)`;
  return failure(code, `the service \`${id}\`: ${message}${times}`, {provider: id, server, ...details});
}

function unavailable(id: string, waitMs: number): ToolOutput {
  const seconds = Math.ceil(waitMs / 1_000);
  const message = `the service \`${id}\` did not reply to the last calls: retry in ${seconds} s`;
  return failure('UPSTREAM_UNAVAILABLE', message, {provider: id, retry_after_ms: waitMs});
}

function failure(
  code: string,
  message: string,
  details: {readonly provider: string; readonly [key: string]: unknown},
): ToolOutput {
  const remedy = `look at the service with \`lumenflow pack doctor ${details.provider}\``;
  return {success: false, error: {code, message, details: {remedy, ...details}}};
}

/** The module is the host's own: it contains nothing but texts of JSON. */
async function planOf({tool}: DispatchRequest): Promise<unknown> {
  const plans = (await import(pathToFileURL(tool.module_path).href)) as Readonly<Record<string, unknown>>;
  return plans[tool.export_name];
}

function enforcementOf(network: HostNetwork): Enforcement {
  const {connections, denials} = network.report();
  return {
    backend: 'service',
    tier: 'none',
    ...(connections.length > 0 && {connections: [...connections]}),
    ...(denials.length > 0 && {denials: [...denials]}),
  };
}
