// A gRPC service of this file: described by its .proto file and by its reflection, and called.
import {loadSync} from '@grpc/proto-loader';
import {loadPackageDefinition, Server, ServerCredentials, status, type ServiceClientConstructor} from '@grpc/grpc-js';
import {ReflectionService} from '@grpc/reflection';
import type {
  ServiceCall,
  ServiceClient,
  ServiceNetwork,
  ServiceOperation,
  ServiceReply,
} from '@lumenflow/kernel/adapters';
import {createSchemaCompiler} from '@lumenflow/kernel/node';
import type {PackPin} from '@lumenflow/schemas';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {kind} from './index.ts';

const proto = `syntax = "proto3";
package shop.v1;
import "google/protobuf/timestamp.proto";
enum State { UNKNOWN = 0; SENT = 1; }
// An order of a customer.
message Order {
  string id = 1;
  State state = 2;
  google.protobuf.Timestamp at = 3;
  map<string, int64> counts = 4;
  repeated Order parts = 5;
  bytes raw = 6;
  oneof payment { string card = 7; int32 points = 8; }
}
message OrderRequest { string id = 1; }
message Orders { repeated Order orders = 1; }
service Shop {
  // Finds an order.
  rpc FindOrder(OrderRequest) returns (Order) { option idempotency_level = NO_SIDE_EFFECTS; }
  rpc ListOrders(OrderRequest) returns (stream Order);
  rpc AddOrders(stream Order) returns (Orders);
  rpc Echo(Order) returns (Order);
}
`;

const folder = mkdtempSync(join(tmpdir(), 'lumenflow-grpc-'));
writeFileSync(join(folder, 'shop.proto'), proto);

let server: Server;
let address: string;
let client: ServiceClient;
let pin: PackPin;

type Call<T> = {readonly request: T; readonly metadata: {get(name: string): unknown[]}};
type Reply = (error: {readonly code: number; readonly details: string} | null, value?: object) => void;

const handlers = {
  FindOrder({request: {id}, metadata}: Call<{readonly id: string}>, reply: Reply) {
    if (id === 'slow') return;
    if (id === 'denied') reply({code: status.UNAUTHENTICATED, details: 'who are you?'});
    else if (id === 'busy') reply({code: status.UNAVAILABLE, details: 'come back later'});
    else reply(null, {id, state: 'SENT', card: String(metadata.get('authorization')[0])});
  },
  ListOrders(call: Call<{readonly id: string}> & {write(order: object): void; end(): void}) {
    for (const id of ['a', 'b']) call.write({id});
    call.end();
  },
  AddOrders(call: {on(event: string, listener: (order: object) => void): void}, reply: Reply) {
    const orders: object[] = [];
    call.on('data', (order) => orders.push(order));
    call.on('end', () => reply(null, {orders}));
  },
  Echo: ({request}: Call<object>, reply: Reply) => reply(null, request),
};

beforeAll(async () => {
  const definition = loadSync(join(folder, 'shop.proto'), {keepCase: true, enums: String, longs: String});
  const {shop} = loadPackageDefinition(definition) as unknown as {shop: {v1: {Shop: ServiceClientConstructor}}};
  server = new Server();
  server.addService(shop.v1.Shop.service, handlers);
  new ReflectionService(definition).addToServer(server);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  address = `http://127.0.0.1:${port}`;
  client = kind.connect();
  pin = {
    id: 'shop',
    version: '1.0.0',
    integrity: 'dev',
    source: 'grpc',
    servers: [address],
    credentials: {bearer: {token: 'TOKEN'}},
  };
});

afterAll(() => {
  client.close();
  server.forceShutdown();
  rmSync(folder, {recursive: true});
});

const network: ServiceNetwork = {key: 'all', resolve: async (host) => ({ok: true, value: [host]})};
const signal = new AbortController().signal;

async function described(changes: Partial<PackPin> = {}): Promise<readonly ServiceOperation[]> {
  const asked = {...pin, ...changes};
  const read = await kind.read(asked, {workspaceRoot: folder, env: {}, network, signal});
  if (!read.ok) throw new Error(read.problem.message);
  const description = kind.describe(asked, JSON.parse(JSON.stringify(read.value)));
  if (!description.ok) throw new Error(description.problem.message);
  return description.value.operations;
}

async function call(name: string, input: unknown, more: Partial<ServiceCall> = {}): Promise<ServiceReply> {
  const operation = (await described({document: 'shop.proto'})).find((one) => one.name === name);
  const env = {TOKEN: 'a-token'};
  const {plan} = operation ?? {};
  return await client.call({
    plan,
    server: address,
    input,
    env,
    network,
    signal,
    timeoutMs: 5_000,
    onProgress: () => undefined,
    ...more,
  });
}

it('describes the methods of a .proto file, with comments and what their options say', async () => {
  const operations = await described({document: 'shop.proto'});
  expect(operations.map(({name, permission, idempotent}) => [name, permission, idempotent])).toEqual([
    ['find-order', 'read', true],
    ['list-orders', 'write', false],
    ['add-orders', 'write', false],
    ['echo', 'write', false],
  ]);
  expect(operations[0]).toMatchObject({
    description: 'Finds an order. (shop.v1.Shop.FindOrder)',
    required_env: ['TOKEN'],
    input_schema: {type: 'object', properties: {id: {type: 'string'}}},
  });
});

it('describes the same methods from the reflection', async () => {
  const reflected = await described();
  const read = await described({document: 'shop.proto'});
  expect(reflected.map(({name}) => name)).toEqual(read.map(({name}) => name));
  const properties = ({output_schema}: ServiceOperation): unknown =>
    (output_schema as {$defs: Record<string, {properties: object}>} | undefined)?.$defs['shop.v1.Order']?.properties;
  expect(Object.keys(properties(reflected[3] as ServiceOperation) as object)).toEqual(
    Object.keys(properties(read[3] as ServiceOperation) as object),
  );
});

it('derives schemas that accept what the service accepts and returns', async () => {
  const compiler = createSchemaCompiler();
  const echo = (await described({document: 'shop.proto'}))[3];
  const validators = [echo?.input_schema, echo?.output_schema].map((schema, index) => {
    const compiled = compiler.compile({$id: `urn:test:${index}`, ...schema}, () => '');
    if (!compiled.ok) throw new Error(compiled.problem.message);
    return compiled.value;
  });
  const order = {
    id: 'A-1',
    state: 'SENT',
    at: {seconds: '1767323045', nanos: 0},
    counts: {a: '9007199254740993'},
    parts: [{id: 'A-2'}],
    raw: 'AQI=',
    points: 5,
  };
  expect(validators[0]?.(order)).toEqual([]);
  expect(validators[0]?.({state: 'LOST'})).not.toEqual([]);
  expect(validators[0]?.({unknown: 1})).not.toEqual([]);
  const reply = await call('echo', order);
  expect(reply).toMatchObject({value: {...order, parts: [{id: 'A-2', state: 'UNKNOWN', at: null}]}});
  expect(reply.ok && validators[1]?.(reply.value)).toEqual([]);
});

it('sends the credentials, and calls methods with streams', async () => {
  expect(await call('find-order', {id: 'A-1'})).toMatchObject({value: {id: 'A-1', card: 'Bearer a-token'}});
  const progress: unknown[] = [];
  const listed = await call('list-orders', {id: 'x'}, {onProgress: (message) => void progress.push(message)});
  expect(listed).toMatchObject({value: [{id: 'a'}, {id: 'b'}]});
  expect(progress).toMatchObject([{id: 'a'}, {id: 'b'}]);
  const messages = [{id: 'c'}, {id: 'd'}];
  expect(await call('add-orders', {messages})).toMatchObject({value: {orders: messages}});
});

it('reports a status with what to do', async () => {
  expect(await call('find-order', {id: 'denied'})).toMatchObject({
    isUnavailable: false,
    failure: {
      code: 'UPSTREAM_FAILED',
      message: '/shop.v1.Shop/FindOrder returned UNAUTHENTICATED: who are you?',
      details: {status: 'UNAUTHENTICATED', remedy: expect.stringContaining('credentials')},
    },
  });
  expect(await call('find-order', {id: 'busy'})).toMatchObject({isUnavailable: true, isUnsent: false});
  expect(await call('find-order', {id: 'slow'}, {timeoutMs: 100})).toMatchObject({
    failure: {details: {status: 'DEADLINE_EXCEEDED'}},
  });
});

it('dials only what the network allows, and ends with the call', async () => {
  const refused: ServiceNetwork = {key: 'none', resolve: async () => ({ok: false, problem: 'not listed'})};
  expect(await call('find-order', {id: 'A'}, {network: refused})).toMatchObject({
    isUnsent: true,
    failure: {code: 'UPSTREAM_UNAVAILABLE', message: 'not listed'},
  });
  await expect(call('find-order', {id: 'slow'}, {signal: AbortSignal.timeout(50)})).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});

it('reports a service that is down', async () => {
  expect(await call('find-order', {id: 'A'}, {server: 'http://127.0.0.1:1'})).toMatchObject({
    isUnavailable: true,
    isUnsent: true,
  });
});

it('reports types that cannot be read', async () => {
  const source = {workspaceRoot: folder, env: {}, network, signal};
  expect(await kind.read({...pin, document: 'none.proto'}, source)).toMatchObject({ok: false});
  writeFileSync(join(folder, 'broken.proto'), 'message {');
  expect(await kind.read({...pin, document: 'broken.proto'}, source)).toMatchObject({ok: false});
  expect(await kind.read({...pin, servers: ['http://127.0.0.1:1']}, source)).toMatchObject({
    problem: {help: expect.stringContaining('--proto')},
  });
});
