// A service made from its OpenAPI document: it replies to each operation with a value of the documented schema, and rejects requests
// without the documented credential.
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';

type Node = Readonly<Record<string, unknown>>;

export interface MockService {
  /** `http://127.0.0.1:PORT` */
  readonly address: string;
  /** `METHOD path` of each request. */
  readonly requests: string[];
  /** Replies instead of the document, if it returns true. */
  instead(reply: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined): void;
  close(): Promise<void>;
}

/** `token`: the bearer token that operations with a security requirement accept. */
export async function startMockService(document: Node, token: string, basePath = ''): Promise<MockService> {
  const routes = routesOf(document, basePath);
  const requests: string[] = [];
  let instead: Parameters<MockService['instead']>[0];
  const server: Server = createServer((request, response) => {
    const {method = '', url = ''} = request;
    requests.push(`${method} ${url}`);
    request.resume();
    if (instead?.(request, response) === true) return;
    const path = url.split('?', 1)[0] ?? '';
    const route = routes.find((one) => one.method === method && one.pattern.test(path));
    if (!route) response.writeHead(404).end();
    else if (route.isSecured && request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401, {'content-type': 'application/json'}).end('{"error":"unauthorized"}');
    } else if (route.schema === undefined) response.writeHead(route.status).end();
    else {
      const body = JSON.stringify(sample(document, route.schema, 0));
      response.writeHead(route.status, {'content-type': 'application/json'}).end(body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    instead: (reply) => void (instead = reply),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly isSecured: boolean;
  readonly status: number;
  readonly schema: unknown;
}

function routesOf(document: Node, basePath: string): readonly Route[] {
  const routes = Object.entries(node(document['paths'])).flatMap(([path, item]) =>
    ['get', 'put', 'post', 'delete', 'patch', 'head'].flatMap((method): readonly Route[] => {
      const operation = node(item)[method];
      if (operation === undefined) return [];
      const {responses, security = document['security']} = node(operation);
      const [status = '200', response] = Object.entries(node(responses)).find(([key]) => key.startsWith('2')) ?? [];
      const json = node(node(follow(document, response)['content'])['application/json'])['schema'];
      const escaped = path.replaceAll(/[.+*?^$()|[\]\\]/gu, String.raw`\$&`).replaceAll(/\{[^}]+\}/gu, '[^/]+');
      return [
        {
          method: method.toUpperCase(),
          pattern: new RegExp(`^${basePath}${escaped}$`, 'u'),
          isSecured: Array.isArray(security) && security.length > 0,
          status: Number(status.replace(/\D/gu, '0')),
          schema: json,
        },
      ];
    }),
  );
  // `/pets/mine` before `/pets/{id}`.
  return routes.toSorted((a, b) => a.pattern.source.split('[^/]+').length - b.pattern.source.split('[^/]+').length);
}

const depthMax = 12;

function sample(document: Node, schema: unknown, depth: number): unknown {
  const found = follow(document, schema);
  const known = [
    found['const'],
    ...list(found['examples']),
    found['example'],
    found['default'],
    ...list(found['enum']),
  ];
  const given = known.find((value) => value !== undefined);
  if (given !== undefined) return given;
  const [choice] = [...list(found['oneOf']), ...list(found['anyOf'])];
  if (depth > depthMax) return null;
  if (choice !== undefined) return sample(document, choice, depth + 1);
  const parts = list(found['allOf']);
  if (parts.length === 0) return sampleOfType(document, found, depth);
  return Object.assign({}, ...parts.map((part) => sample(document, part, depth + 1))) as unknown;
}

function sampleOfType(document: Node, schema: Node, depth: number): unknown {
  const {type, properties, required, items, minItems = 0, minimum = 1} = schema;
  const kinds = [
    ...list(type),
    ...(typeof type === 'string' ? [type] : []),
    ...(properties === undefined ? [] : ['object']),
  ];
  switch (kinds.includes('null') ? 'null' : kinds[0]) {
    case 'object': {
      const names = list(required).map(String);
      return Object.fromEntries(names.map((name) => [name, sample(document, node(properties)[name] ?? {}, depth + 1)]));
    }
    case 'array':
      return Array.from({length: Number(minItems)}, () => sample(document, items, depth + 1));
    case 'integer':
    case 'number':
      return Number(minimum);
    case 'boolean':
      return true;
    case 'string':
      return sampleText(schema);
    default:
      return null;
  }
}

const texts: Readonly<Record<string, string>> = {
  date: '2026-01-02',
  'date-time': '2026-01-02T03:04:05Z',
  uri: 'https://example.com/a',
  email: 'a@example.com',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
};

/** Patterns are ignored. */
function sampleText({format, minLength = 0}: Node): string {
  return (typeof format === 'string' ? texts[format] : undefined) ?? 'text'.padEnd(Number(minLength), 'x');
}

function follow(document: Node, value: unknown): Node {
  let found = node(value);
  while (typeof found['$ref'] === 'string') {
    const parts = found['$ref'].slice(2).split('/');
    found = node(
      parts.reduce<unknown>((inner, part) => node(inner)[part.replaceAll('~1', '/').replaceAll('~0', '~')], document),
    );
  }
  return found;
}

function node(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
