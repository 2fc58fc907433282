import {createSchemaCompiler} from '@lumenflow/kernel/node';
import type {PackPin} from '@lumenflow/schemas';
import {readdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {expect, it} from 'vitest';
import {describeOpenapi} from './describe-openapi.ts';
import type {OperationPlan} from './operation-plan.ts';

const pin: PackPin = {
  id: 'pets',
  version: '1.0.0',
  integrity: 'dev',
  source: 'openapi',
  document: 'https://api.example/docs/openapi.json',
  servers: ['https://api.example/v1'],
};

function described(document: object, changes: Partial<PackPin> = {}): ReturnType<typeof describeOpenapi> {
  return describeOpenapi({...pin, ...changes}, {openapi: '3.0.3', info: {title: 'Pets', version: '1.2'}, ...document});
}

function operation(document: object, name: string, changes: Partial<PackPin> = {}) {
  const found = described(document, changes);
  if (!found.ok) throw new Error(found.problem.message);
  const one = found.value.operations.find((candidate) => candidate.name === name);
  if (!one) throw new Error(`${name} is not among ${found.value.operations.map((other) => other.name).join(', ')}`);
  return {...one, plan: one.plan as OperationPlan};
}

const pets = {
  paths: {
    '/pets/{petId}': {
      parameters: [{name: 'petId', in: 'path', required: true, schema: {type: 'integer'}}],
      get: {
        operationId: 'showPet',
        summary: 'Info for a pet',
        parameters: [
          {name: 'filter[kind]', in: 'query', schema: {type: 'string', nullable: true}},
          {name: 'petId', in: 'header', schema: {type: 'string'}},
          {name: 'Authorization', in: 'header', schema: {type: 'string'}},
        ],
        responses: {200: {content: {'application/json': {schema: {$ref: '#/components/schemas/Pet'}}}}},
      },
      delete: {responses: {204: {}}},
    },
    '/pets': {
      post: {
        operationId: 'addPet',
        requestBody: {required: true, content: {'application/json': {schema: {$ref: '#/components/schemas/Pet'}}}},
        responses: {201: {content: {'application/json': {schema: {$ref: '#/components/schemas/Pet'}}}}},
      },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['id', 'name', 'secret'],
        properties: {
          id: {type: 'integer', readOnly: true, minimum: 0, exclusiveMinimum: true},
          name: {type: 'string', pattern: '(?i)invalid', 'x-faker': 'name'},
          secret: {type: 'string', writeOnly: true},
          parent: {$ref: '#/components/schemas/Pet'},
        },
      },
    },
  },
};

it('names operations after their ids, or their methods and paths', () => {
  expect(operation(pets, 'show-pet').description).toBe('Info for a pet. (GET /pets/{petId})');
  expect(operation(pets, 'delete-pets-pet-id')).toMatchObject({permission: 'admin', idempotent: true});
  expect(operation(pets, 'add-pet')).toMatchObject({permission: 'write', idempotent: false});
});

it('keeps names unique and short enough', () => {
  const long = 'x'.repeat(80);
  const paths = Object.fromEntries(
    ['a', 'b', long].map((id, index) => [`/${index}`, {get: {operationId: id === 'b' ? 'A' : id, responses: {}}}]),
  );
  const found = described({paths});
  const names = found.ok ? found.value.operations.map(({name}) => `pets:${name}`) : [];
  expect(new Set(names).size).toBe(3);
  expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(64);
});

it.each([
  ['getAPIs', 'get-apis'],
  ['getAPIKeys', 'get-api-keys'],
  ['repos/list-for-org', 'repos-list-for-org'],
  ['list_pets.v2', 'list-pets-v2'],
  ['2fa', 'fa'],
])('names `%s` as `%s`', (operationId, name) => {
  expect(operation({paths: {'/': {get: {operationId, responses: {}}}}}, name).name).toBe(name);
});

it('gives each parameter one property, and the host its own headers', () => {
  const {input_schema, plan} = operation(pets, 'show-pet');
  expect(input_schema).toEqual({
    type: 'object',
    properties: {petId: {type: 'integer'}, filter_kind: {type: ['string', 'null']}, header_petId: {type: 'string'}},
    required: ['petId'],
    additionalProperties: false,
  });
  expect(plan.parameters.map(({name, in: place}) => `${place} ${name}`)).toEqual([
    'path petId',
    'query filter[kind]',
    'header petId',
  ]);
});

it('keeps cycles as references, and what the other direction has out of a schema', () => {
  const {input_schema, output_schema} = operation(pets, 'add-pet');
  expect(input_schema['$defs']).toEqual({
    Pet: {
      type: 'object',
      properties: {name: {type: 'string'}, secret: {type: 'string'}, parent: {$ref: '#/$defs/Pet'}},
      required: ['name', 'secret'],
    },
  });
  expect(output_schema).toMatchObject({
    $ref: '#/$defs/Pet',
    $defs: {Pet: {properties: {id: {exclusiveMinimum: 0}}, required: ['id', 'name']}},
  });
});

it('uses the first security requirement that the pin can fill', () => {
  const secured = {
    paths: {'/': {get: {operationId: 'list', security: [{token: []}, {login: [], key: []}], responses: {}}}},
    components: {
      securitySchemes: {
        token: {type: 'oauth2', flows: {clientCredentials: {tokenUrl: 'https://login.example/token', scopes: {}}}},
        login: {type: 'http', scheme: 'basic'},
        key: {type: 'apiKey', in: 'query', name: 'key'},
      },
    },
  };
  const both = {login: {username: 'USER', password: 'PASSWORD'}, key: {token: 'KEY'}};
  expect(operation(secured, 'list', {credentials: both})).toMatchObject({
    schemes: ['login', 'key'],
    required_env: ['USER', 'PASSWORD', 'KEY'],
    addresses: [],
  });
  const oauth = {token: {client_id: 'ID', client_secret: 'SECRET'}};
  expect(operation(secured, 'list', {credentials: oauth})).toMatchObject({
    required_env: ['ID', 'SECRET'],
    addresses: ['https://login.example/token'],
  });
  expect(operation(secured, 'list', {credentials: {key: {token: 'KEY'}}})).toMatchObject({
    schemes: ['token'],
    required_env: [],
  });
});

it('refuses references to other files, and to nothing', () => {
  for (const $ref of ['other.yaml#/Pet', '#/components/schemas/None']) {
    const broken = {paths: {'/': {get: {parameters: [{$ref}], responses: {}}}}};
    expect(described(broken)).toMatchObject({ok: false, problem: {message: expect.stringContaining($ref)}});
  }
  const endless = {components: {parameters: {a: {$ref: '#/components/parameters/a'}}}};
  const paths = {'/': {get: {parameters: [{$ref: '#/components/parameters/a'}], responses: {}}}};
  expect(described({...endless, paths}).ok).toBe(false);
});

it('resolves servers against the address of the document, with the defaults of their variables', () => {
  const servers = [
    {url: '/v2/'},
    {url: 'https://{region}.example', variables: {region: {default: 'eu'}}},
    {url: 'ftp://files.example'},
  ];
  expect(described({servers, paths: {}})).toMatchObject({
    value: {servers: ['https://api.example/v2', 'https://eu.example']},
  });
});

const folder = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));
const documents = ['3.0', '3.1'].flatMap((version) =>
  readdirSync(join(folder, version, 'json'))
    .filter((name) => /^(?:circular|complex|discriminators|file|form|parameters|polymorphism|schema)/u.test(name))
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, version, 'json', name)),
);

it('makes schemas that compile of documents with unusual schemas', () => {
  expect(documents.length).toBeGreaterThan(20);
  const compiler = createSchemaCompiler();
  const problems = documents.flatMap((file) => {
    const found = describeOpenapi(pin, JSON.parse(readFileSync(file, 'utf8')));
    if (!found.ok) return [`${file}: ${found.problem.message}`];
    return found.value.operations.flatMap(({name, input_schema, output_schema}) =>
      [input_schema, output_schema ?? {}].flatMap((schema) => {
        const compiled = compiler.compile({$id: `urn:test:${file}:${name}:${Math.random()}`, ...schema}, () => name);
        return compiled.ok ? [] : [`${file} ${name}: ${compiled.problem.message}`];
      }),
    );
  });
  expect(problems).toEqual([]);
});
