// Calls methods of gRPC services. Connections are kept for calls with the same grant.
import {status, type ServiceError} from '@grpc/grpc-js';
import type {ServiceCall, ServiceClient, ServiceFailure, ServiceReply} from '@lumenflow/kernel/adapters';
import {protobuf} from './protobuf.ts';
import type {MethodPlan} from './method-plan.ts';
import {ChannelRefused, openChannel, TooLarge, type Channel} from './open-channel.ts';

export function createGrpcClient(): ServiceClient {
  const channels = new Map<string, Channel>();
  const roots = new WeakMap<object, protobuf.Root>();

  async function channelFor({server, network}: ServiceCall): Promise<Channel> {
    const key = `${server} ${network.key}`;
    const channel = channels.get(key) ?? (await openChannel(server, network));
    channels.set(key, channel);
    return channel;
  }

  function typesOf({types}: MethodPlan): protobuf.Root {
    const root = roots.get(types) ?? protobuf.Root.fromJSON(types);
    roots.set(types, root);
    return root;
  }

  async function attempt(plan: MethodPlan, call: ServiceCall): Promise<ServiceReply> {
    const root = typesOf(plan);
    const input = call.input as {readonly messages?: readonly object[]};
    const channel = await channelFor(call);
    const messages = await channel.call({
      path: plan.path,
      request: root.lookupType(plan.request),
      response: root.lookupType(plan.response),
      messages: plan.request_stream ? (input.messages ?? []) : [input],
      metadata: metadataOf(plan, call.env),
      timeoutMs: call.timeoutMs,
      signal: call.signal,
      onMessage: plan.response_stream ? (message) => call.onProgress(message) : () => undefined,
    });
    return {ok: true, value: plan.response_stream ? messages : (messages[0] ?? null)};
  }

  return {
    async call(call) {
      const plan = call.plan as MethodPlan;
      try {
        return await attempt(plan, call);
      } catch (error) {
        call.signal.throwIfAborted();
        return failureOf(error, plan.path);
      }
    },
    close() {
      for (const channel of channels.values()) channel.close();
      channels.clear();
    },
  };
}

function metadataOf({credentials}: MethodPlan, env: ServiceCall['env']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    credentials.map(({key, token}) =>
      key === 'bearer' ? ['authorization', `Bearer ${env[token] ?? ''}`] : [key, env[token] ?? ''],
    ),
  );
}

const unavailable: ReadonlySet<number> = new Set([status.UNAVAILABLE, status.RESOURCE_EXHAUSTED]);

function failureOf(error: unknown, path: string): ServiceFailure {
  const {code, details, message} = error as Partial<ServiceError> & Error;
  if (error instanceof ChannelRefused) {
    return {ok: false, isUnavailable: true, isUnsent: true, failure: {code: 'UPSTREAM_UNAVAILABLE', message}};
  }
  if (error instanceof TooLarge) return {ok: false, isUnavailable: false, failure: {code: 'OUTPUT_TOO_LARGE', message}};
  const isUnconnected = code === status.UNAVAILABLE && /no connection established/iu.test(details ?? '');
  const name = code === undefined ? 'UNKNOWN' : (status[code] ?? String(code));
  return {
    ok: false,
    isUnavailable: code !== undefined && unavailable.has(code),
    isUnsent: isUnconnected,
    failure: {
      code: isUnconnected ? 'UPSTREAM_UNAVAILABLE' : 'UPSTREAM_FAILED',
      message: `${path} returned ${name}: ${details ?? message}`.slice(0, 4_000),
      details: {status: name, ...remedyFor(code)},
    },
  };
}

const remedies: Readonly<Record<number, string | undefined>> = {
  [status.INVALID_ARGUMENT]: 'correct the input, as the message says',
  [status.NOT_FOUND]: 'check the names and ids in the input',
  [status.UNAUTHENTICATED]: 'check the `credentials` of the pin, and the variables that they name',
  [status.PERMISSION_DENIED]: 'check the `credentials` of the pin, and the variables that they name',
  [status.UNIMPLEMENTED]: 'the service is of another version: `lumenflow pack install --update` reads its types again',
  [status.DEADLINE_EXCEEDED]: 'give the tool more time with `timeout_ms` of the pin',
};

function remedyFor(code: number | undefined): {readonly remedy?: string} {
  const remedy = code === undefined ? undefined : remedies[code];
  return remedy === undefined ? {} : {remedy};
}
