import type {ServiceDescription, ServiceOperation} from '@lumenflow/kernel/adapters';
import type {PackPin} from '@lumenflow/schemas';
import {expect, it} from 'vitest';
import {describeService} from './describe-service.ts';
import {proposeServicePin} from './propose-service-pin.ts';

const operation = (name: string, more: Partial<ServiceOperation> = {}): ServiceOperation => ({
  name,
  tags: [],
  description: name,
  permission: 'read',
  idempotent: true,
  input_schema: {type: 'object'},
  schemes: [],
  required_env: [],
  addresses: [],
  plan: {},
  ...more,
});
const description: ServiceDescription = {
  title: 'Pets',
  version: '1.2',
  servers: ['https://api.example'],
  schemes: {api_key: [['token']], appLogin: [['client_id', 'client_secret'], ['token']], mtls: []},
  operations: [
    operation('list-pets', {tags: ['pets'], schemes: ['api_key']}),
    operation('add-pet', {tags: ['pets'], permission: 'write', schemes: ['appLogin', 'mtls']}),
    operation('list-users'),
  ],
};
const asked: PackPin = {id: 'shop', version: '0.0.0', integrity: 'dev', source: 'openapi', document: 'a.yaml'};

it('pins all operations, the servers of the document, and variables for its secrets', () => {
  expect(proposeServicePin(asked, description, [])).toEqual({
    ok: true,
    value: {
      leftOut: 0,
      unsupported: ['mtls'],
      pin: {
        ...asked,
        version: '1.2.0',
        servers: ['https://api.example'],
        credentials: {
          api_key: {token: 'SHOP_API_KEY'},
          appLogin: {client_id: 'SHOP_APP_LOGIN_CLIENT_ID', client_secret: 'SHOP_APP_LOGIN_CLIENT_SECRET'},
        },
        tools: {
          'list-pets': {permission: 'read'},
          'add-pet': {permission: 'write'},
          'list-users': {permission: 'read'},
        },
      },
    },
  });
});

it.each([
  [['list-*'], ['list-pets', 'list-users']],
  [['shop:add-*'], ['add-pet']],
  [['tag:pets'], ['list-pets', 'add-pet']],
  [
    ['list-users', 'tag:pets'],
    ['list-pets', 'add-pet', 'list-users'],
  ],
])('selects %s', (only, names) => {
  const proposed = proposeServicePin(asked, description, only);
  expect(proposed.ok && Object.keys(proposed.value.pin.tools ?? {})).toEqual(names);
});

it('reports a selection of nothing with the nearest name', () => {
  expect(proposeServicePin(asked, description, ['list-pet'])).toMatchObject({
    problem: {message: '`list-pet` selects no operation', help: 'did you mean `list-pets`?'},
  });
});

it('needs an address, and operations that are not too many', () => {
  expect(proposeServicePin(asked, {...description, servers: []}, [])).toMatchObject({
    problem: {help: expect.stringContaining('--server')},
  });
  const operations = Array.from({length: 3_000}, (_, index) =>
    operation(`a${index}`, {description: 'x'.repeat(1_900)}),
  );
  expect(proposeServicePin(asked, {...description, operations}, [])).toMatchObject({
    problem: {message: expect.stringContaining('are too many'), help: expect.stringContaining('--only')},
  });
});

it('has no operation whose name is one that objects inherit, unless the pin names it', () => {
  const operations = [operation('constructor'), operation('list-pets')];
  const described = describeService(
    {...asked, tools: {'list-pets': {permission: 'read'}}},
    {...description, operations},
  );
  expect(described).toMatchObject({value: {operations: [{name: 'list-pets'}]}});
});

it('does not send credentials without encryption, except to this machine', () => {
  const operations = [operation('list-pets', {required_env: ['SHOP_KEY'], addresses: ['http://login.example/']})];
  const describe = (servers: readonly string[], found = operations) =>
    describeService(
      {...asked, servers: servers as [string], tools: {'list-pets': {permission: 'read'}}},
      {...description, operations: found},
    );
  expect(describe(['https://api.example'])).toMatchObject({
    problem: {message: 'the pack `shop` would send credentials to http://login.example/ without encryption'},
  });
  const plain = [operation('list-pets', {required_env: ['SHOP_KEY']})];
  expect(describe(['http://api.example'], plain)).toMatchObject({problem: {help: expect.stringContaining('https')}});
  expect(describe(['https://api.example', 'http://127.0.0.1:80'], plain)).toMatchObject({ok: true});
  expect(describe(['http://api.example'], [operation('list-pets')])).toMatchObject({ok: true});
});
