// The API's own description: valid OpenAPI, true of every route, and a source of hostile requests that never break the server.
import {Validator} from '@seriousme/openapi-schema-validator';
import * as fc from 'fast-check';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {openHttpStage, type HttpStage} from '../../support/http-stage.ts';

let http: HttpStage;
beforeEach(async () => {
  http = await openHttpStage();
});
afterEach(() => http.strike());

interface Operation {
  readonly parameters: readonly {readonly name: string; readonly in: string}[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, {readonly schema: {readonly properties: Record<string, unknown>}}>>;
  };
}

async function operations(): Promise<readonly (readonly [method: string, path: string, operation: Operation])[]> {
  const {body} = await http.agent.get('/openapi.json');
  return Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method, path, operation] as const),
  );
}

test('is valid OpenAPI 3.1 with one name for each operation', async () => {
  const {status, body} = await http.agent.get('/openapi.json');
  expect(status).toBe(200);
  expect(await new Validator().validate(body)).toMatchObject({valid: true});
  const names = (await operations()).map(([, , operation]) => (operation as {operationId?: string}).operationId);
  expect(new Set(names).size).toBe(names.length);
});

test('each operation is there: with no token it asks for one', async () => {
  const all = await operations();
  expect(all.map(([method, path]) => `${method} ${path}`)).toEqual(
    expect.arrayContaining(['post /v1/tools/{name}', 'get /v1/evidence/{receipt}/proof', 'get /metrics']),
  );
  for (const [method, path] of all) {
    const address = http.server.url + path.replaceAll(/\{\w+\}/g, 'x');
    expect((await fetch(address, {method: method.toUpperCase()})).status).toBe(401);
  }
});

test('no request made from it breaks the server', async () => {
  const all = (await operations()).filter(([, path]) => !/\/(?:live|events)$/.test(path));
  const value = fc.oneof(fc.string({maxLength: 40}), fc.jsonValue({maxDepth: 2}), fc.constant('core'));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...all), fc.infiniteStream(value), async ([method, path, operation], values) => {
      const next = (): unknown => values.next().value;
      const text = (): string => {
        const drawn = next();
        return typeof drawn === 'string' ? Buffer.from(drawn).toString() : JSON.stringify(drawn);
      };
      const target = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(text()) || 'x');
      const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
      const query = new URLSearchParams(
        inQuery.filter(() => next() !== '').map(({name}) => [name, text()] as [string, string]),
      );
      const properties = operation.requestBody?.content['application/json']?.schema.properties ?? {};
      const body = Object.fromEntries(Object.keys(properties).map((name) => [name, next()]));
      const {status, body: said} =
        method === 'get'
          ? await http.operator.get(`${target}?${query.toString()}`)
          : await http.operator.post(target, body);
      expect([status, said]).toEqual([expect.toSatisfy((code: number) => code < 500), said]);
    }),
    {numRuns: 250},
  );
  expect(http.errors).toEqual([]);
});
