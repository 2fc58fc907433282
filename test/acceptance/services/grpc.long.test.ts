// A gRPC service as governed tools, from its reflection to the receipt of a call.
import {Server, ServerCredentials, loadPackageDefinition, status, type ServiceClientConstructor} from '@grpc/grpc-js';
import {loadSync} from '@grpc/proto-loader';
import {ReflectionService} from '@grpc/reflection';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {runCommandForJson} from '../../support/lumenflow-program.ts';
import {opened} from '../../support/opened.ts';

const proto = `syntax = "proto3";
package shop.v1;
message Order { string id = 1; string state = 2; }
message OrderRequest { string id = 1; }
service Shop { rpc FindOrder(OrderRequest) returns (Order) { option idempotency_level = NO_SIDE_EFFECTS; } }
`;
const secret = 'grpc-very-secret';

let workspace: HostWorkspace;
let server: Server;
let host = '';
let failures = 0;
let calls = 0;

beforeAll(async () => {
  workspace = makeHostWorkspace({files: {'shop.proto': proto}});
  const definition = loadSync(join(workspace.root, 'shop.proto'), {keepCase: true});
  const {shop} = loadPackageDefinition(definition) as unknown as {shop: {v1: {Shop: ServiceClientConstructor}}};
  server = new Server();
  server.addService(shop.v1.Shop.service, {
    FindOrder(
      {request, metadata}: {request: {id: string}; metadata: {get(name: string): unknown[]}},
      reply: (error: object | null, value?: object) => void,
    ) {
      calls += 1;
      if (failures-- > 0) reply({code: status.UNAVAILABLE, details: 'down'});
      else if (request.id === 'none')
        reply({code: status.NOT_FOUND, details: `none for ${String(metadata.get('authorization')[0])}`});
      else reply(null, {id: request.id, state: 'sent'});
    },
  });
  new ReflectionService(definition).addToServer(server);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  host = `127.0.0.1:${port}`;
});

afterAll(async () => {
  await workspace.remove();
  server.forceShutdown();
});

async function run(...args: readonly string[]): Promise<Record<string, unknown>> {
  const {document} = await runCommandForJson(args, {cwd: workspace.root});
  return document;
}

it('is added from its reflection, called, and recorded', async () => {
  expect(await run('pack', 'add', 'shop', '--grpc', `http://${host}`)).toMatchObject({
    pin: {source: 'grpc', servers: [`http://${host}`], tools: {'find-order': {permission: 'read'}}},
  });
  const file = join(workspace.root, 'workspace.yaml');
  const scopes = JSON.stringify([{type: 'network', posture: 'allowlist', allowlist_entries: [host]}]);
  const text = readFileSync(file, 'utf8')
    .replace(/^lanes: .*$/mu, `lanes: [{id: core, allowed_scopes: ${scopes}}]`)
    .replace(/^security: .*$/mu, `security: {allowed_scopes: ${scopes}}`)
    .replace('source: grpc', 'source: grpc\n    credentials: {bearer: {token: SHOP_TOKEN}}');
  writeFileSync(file, text);
  expect(await run('pack', 'install', 'shop')).toMatchObject({ok: true});
  expect(await run('pack', 'approve', 'shop', '--as', 'ada')).toMatchObject({ok: true});
  expect(await run('pack', 'doctor', 'shop')).toMatchObject({checks: [{replies: true, missing_env: ['SHOP_TOKEN']}]});

  const started = await workspace.start({env: {PATH: process.env['PATH'], SHOP_TOKEN: secret}});
  const session = opened(await started.openSession({by: 'test', lane: 'core'}));
  const output = await session.call('shop:find-order', {id: 'A-1'});
  expect(output).toMatchObject({success: true, data: {id: 'A-1', state: 'sent'}});
  const receipt = await started.runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
  expect(receipt).toMatchObject({
    started: {execution_mode: 'service'},
    finished: {enforcement: {connections: [{destination: host, allowed: true}]}},
  });

  const failed = await session.call('shop:find-order', {id: 'none'});
  expect(failed.error).toMatchObject({
    code: 'UPSTREAM_FAILED',
    message: expect.stringContaining('NOT_FOUND: none for Bearer [redacted]'),
    details: {provider: 'shop', status: 'NOT_FOUND'},
  });
  expect(JSON.stringify(failed)).not.toContain(secret);

  calls = 0;
  failures = 2;
  expect(await session.call('shop:find-order', {id: 'A-2'})).toMatchObject({data: {id: 'A-2'}});
  expect(calls).toBe(3);
});
