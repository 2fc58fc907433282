// Services that lie, flood and choose names that JavaScript uses itself.
import {Server, ServerCredentials} from '@grpc/grpc-js';
import type {
  ServiceCall,
  ServiceClient,
  ServiceNetwork,
  ServiceOperation,
  ServiceReply,
} from '@lumenflow/kernel/adapters';
import {createSchemaCompiler} from '@lumenflow/kernel/node';
import type {PackPin} from '@lumenflow/schemas';
import descriptor from 'protobufjs/ext/descriptor/index.js';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {kind} from './index.ts';
import {protobuf} from './protobuf.ts';
import {reflectionTypes} from './reflection-types.ts';

type Stream = {
  readonly cancelled: boolean;
  write(bytes: Uint8Array): boolean;
  end(): void;
  on(event: string, listener: (bytes: Uint8Array) => void): void;
  once(event: string, listener: () => void): void;
};

const proto = `syntax = "proto3";
message Tree { string name = 1; repeated Tree parts = 2; string note = 3; }
service Hostile { rpc Endless(Tree) returns (stream Tree); rpc Big(Tree) returns (Tree); rpc Dense(Tree) returns (Tree); }
`;
const mebi = 1024 * 1024;
const handlers: Readonly<Record<string, (stream: Stream) => void>> = {
  '/Hostile/Endless'(stream) {
    const flood = (): void => {
      while (!stream.cancelled && stream.write(Buffer.alloc(0)));
      if (!stream.cancelled) stream.once('drain', flood);
    };
    flood();
  },
  '/Hostile/Big'(stream) {
    stream.write(Buffer.alloc(16 * mebi));
    stream.end();
  },
  // Four million empty parts.
  '/Hostile/Dense'(stream) {
    stream.write(Buffer.alloc(8 * mebi - 100, Buffer.from([18, 0])));
    stream.end();
  },
  // Each file depends on the next one, without end.
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo'(stream) {
    stream.on('data', (bytes) => {
      const asked = reflectionTypes.lookupType('Request').decode(bytes) as unknown as Record<string, string>;
      const from = Number(asked['file_by_filename'] ?? 0);
      const response = reflectionTypes.lookupType('Response');
      const {FileDescriptorProto} = descriptor;
      const file = FileDescriptorProto.encode({name: String(from), dependency: [String(from + 1)]}).finish();
      const reply = !Object.hasOwn(asked, 'list_services')
        ? {file_descriptor_response: {file_descriptor_proto: [file]}}
        : {list_services_response: {service: [{name: 'Hostile'}]}};
      stream.write(Buffer.from(response.encode(response.fromObject(reply)).finish()));
      stream.end();
    });
  },
};

let server: Server;
let address: string;
let client: ServiceClient;
const network: ServiceNetwork = {key: 'all', resolve: async (host) => ({ok: true, value: [host]})};
const {signal} = new AbortController();
const pin: PackPin = {id: 'hostile', version: '1.0.0', integrity: 'dev', source: 'grpc'};
const asBytes = (bytes: Buffer): Buffer => bytes;

beforeAll(async () => {
  server = new Server({'grpc.max_send_message_length': -1});
  const methods = Object.keys(handlers).map((path) => [
    path,
    {
      path,
      requestStream: true,
      responseStream: true,
      requestSerialize: asBytes,
      requestDeserialize: asBytes,
      responseSerialize: asBytes,
      responseDeserialize: asBytes,
    },
  ]);
  server.addService(Object.fromEntries(methods) as never, handlers);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  address = `http://127.0.0.1:${port}`;
  client = kind.connect();
});
afterAll(() => {
  client.close();
  server.forceShutdown();
});

function operationsOf(text: string): readonly ServiceOperation[] {
  const {root} = protobuf.parse(text, {keepCase: true});
  const described = kind.describe(pin, JSON.parse(JSON.stringify(root.toJSON())));
  if (!described.ok) throw new Error(described.problem.message);
  return described.value.operations;
}

async function call(name: string, more: Partial<ServiceCall> = {}): Promise<ServiceReply> {
  const {plan} = operationsOf(proto).find((operation) => operation.name === name) ?? {};
  const onProgress = (): void => undefined;
  return await client.call({
    plan,
    server: address,
    input: {},
    env: {},
    network,
    signal,
    timeoutMs: 60_000,
    onProgress,
    ...more,
  });
}

const tooLarge = {ok: false, isUnavailable: false, failure: {code: 'OUTPUT_TOO_LARGE'}};

it('does not decode a message whose few bytes become millions of values', async () => {
  expect(await call('dense')).toMatchObject(tooLarge);
});

it('reports a message that is too large as such, not as a service that is busy', async () => {
  expect(await call('big')).toMatchObject(tooLarge);
});

it('ends a stream of empty messages that has no end', async () => {
  let messages = 0;
  expect(await call('endless', {onProgress: () => (messages += 1)})).toMatchObject(tooLarge);
  expect(messages).toBeLessThan(200_000);
});

it('ends a reflection whose files depend on others without end', async () => {
  const read = await kind.read({...pin, servers: [address]}, {workspaceRoot: '/', env: {}, network, signal});
  expect(read).toMatchObject({ok: false, problem: {message: expect.stringContaining('more than 1000 files')}});
});

it.each(['', 'package constructor;', 'package a.constructor.prototype;'])(
  'describes names that JavaScript uses itself: %s',
  (packaged) => {
    const before = Reflect.ownKeys(Object).length + Reflect.ownKeys(Object.prototype).length;
    const [operation] = operationsOf(
      `syntax = "proto3"; ${packaged} message constructor { string toString = 1; } service S { rpc Get(constructor) returns (constructor); }`,
    );
    const compiled = createSchemaCompiler().compile({$id: 'urn:test:0', ...operation?.input_schema}, () => '');
    expect(compiled).toMatchObject({ok: true});
    expect(JSON.stringify(operation?.plan)).toContain('"constructor":{"fields":{"toString"');
    expect(Reflect.ownKeys(Object).length + Reflect.ownKeys(Object.prototype).length).toBe(before);
  },
);

it('gives each method a separate name, also if their words are the same or there are none', () => {
  const names = operationsOf(
    `syntax = "proto3"; message M {} service S { rpc FindIt(M) returns (M); rpc find_it(M) returns (M); rpc _(M) returns (M); rpc __(M) returns (M); }`,
  ).map(({name}) => name);
  expect(new Set(names).size).toBe(4);
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9-]*$/u);
});
