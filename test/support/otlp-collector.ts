// A collector of the tests' own: it accepts OTLP over HTTP, and checks each message against the published protocol.
import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {createRequire} from 'node:module';
import type {AddressInfo} from 'node:net';

type Message = Readonly<Record<string, unknown>>;
interface ProtocolType {
  /** Undefined, or what is wrong. */
  verify(message: Message): string | null;
  fromObject(message: Message): object;
  toObject(message: object, options: object): Message;
}
type Services = Readonly<Record<'trace' | 'metrics' | 'logs', {readonly v1: Readonly<Record<string, ProtocolType>>}>>;

const {opentelemetry} = createRequire(import.meta.url)('@opentelemetry/otlp-transformer/build/src/generated/root') as {
  readonly opentelemetry: {readonly proto: {readonly collector: Services}};
};
const services = opentelemetry.proto.collector;
const types: Readonly<Record<string, ProtocolType | undefined>> = {
  '/v1/traces': services.trace.v1['ExportTraceServiceRequest'],
  '/v1/metrics': services.metrics.v1['ExportMetricsServiceRequest'],
  '/v1/logs': services.logs.v1['ExportLogsServiceRequest'],
};
const paths: Readonly<Record<string, readonly string[]>> = {
  '/v1/traces': ['resourceSpans', 'scopeSpans', 'spans'],
  '/v1/metrics': ['resourceMetrics', 'scopeMetrics', 'metrics'],
  '/v1/logs': ['resourceLogs', 'scopeLogs', 'logRecords'],
};

/** Fields that the JSON encoding of OTLP writes in hex, unlike other bytes. */
const hexFields = new Set(['traceId', 'spanId', 'parentSpanId']);

export interface OtlpCollector {
  readonly url: string;
  /** Headers of the requests. */
  readonly headers: readonly Readonly<Record<string, unknown>>[];
  /** What was received that the protocol does not allow. */
  readonly problems: readonly string[];
  /** The status that requests get; default 200. */
  status: number;
  /** The body of replies; default `{}`. */
  reply: string;
  items(path: '/v1/traces' | '/v1/metrics' | '/v1/logs'): readonly Message[];
  close(): void;
}

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const received: {readonly path: string; readonly message: Message}[] = [];
  const problems: string[] = [];
  const headers: Readonly<Record<string, unknown>>[] = [];
  const collector = {status: 200, reply: '{}'};
  async function accept(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request);
    const path = request.url ?? '';
    headers.push(request.headers);
    if (collector.status === 200) {
      const problem = misfit(path, text);
      if (problem === undefined) received.push({path, message: JSON.parse(text) as Message});
      else problems.push(problem);
    }
    response.writeHead(collector.status, {'content-type': 'application/json'}).end(collector.reply);
  }
  const server = createServer((request, response) => {
    void accept(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(collector, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers,
    problems,
    items: (path: string) =>
      received.filter((each) => each.path === path).flatMap(({message}) => itemsIn([message], paths[path] ?? [])),
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
}

function itemsIn(messages: readonly Message[], [key, ...rest]: readonly string[]): readonly Message[] {
  if (key === undefined) return messages;
  return itemsIn(
    messages.flatMap((message) => message[key] as readonly Message[]),
    rest,
  );
}

/** Undefined if the message survives the protocol's own types: what they do not know would be lost. */
function misfit(path: string, text: string): string | undefined {
  const type = types[path];
  if (type === undefined) return `there is no service at ${path}`;
  const message = JSON.parse(text) as Message;
  // The types read all bytes as Base64.
  const decoded = mapFields(message, (key, value) =>
    hexFields.has(key) ? Buffer.from(String(value), 'hex').toString('base64') : value,
  ) as Message;
  const built = type.fromObject(decoded);
  const wrong = type.verify(built as Message);
  if (wrong !== null) return `${path}: ${wrong}`;
  const again = type.toObject(built, {longs: String, bytes: String});
  const lost = difference(decoded, again, path);
  return lost;
}

function mapFields(value: unknown, map: (key: string, value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mapFields(each, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapFields(map(key, each), map)]));
}

function difference(sent: unknown, understood: unknown, where: string): string | undefined {
  if (typeof sent !== 'object' || sent === null) {
    return String(sent) === String(understood)
      ? undefined
      : `${where}: ${String(sent)} is read as ${String(understood)}`;
  }
  const fields = (understood ?? {}) as Readonly<Record<string, unknown>>;
  for (const [key, value] of Object.entries(sent)) {
    const found = difference(value, fields[key], `${where}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
