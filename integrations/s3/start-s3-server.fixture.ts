// A server with one bucket in memory, as strict as the real one: it checks every signature and every hash of a body.
import {createHash} from 'node:crypto';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {signatureOf} from './signature-of.fixture.ts';

const keysOnPage = 2;

export interface S3Server {
  readonly endpoint: string;
  readonly objects: Map<string, Buffer>;
  /** Answers that come before any work, one for each request; then all is as usual. */
  readonly failures: number[];
  /** Changes answers: those of a server that is not honest. */
  lie: Lie;
  /** Ends all connections. */
  cut(): void;
  close(): Promise<void>;
}

export interface S3Answer {
  readonly status: number;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string | number>>;
}

/** `asked.key` is undefined for a list; `objects` is what the server has after it did its work. */
export type Lie = (
  asked: {readonly method: string; readonly key: string | undefined},
  answer: S3Answer,
  objects: Map<string, Buffer>,
) => S3Answer;

export async function startS3Server(secret: string, bucket: string): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const failures: number[] = [];
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const reply = (status: number, body: string | Uint8Array = '', more: S3Answer['headers'] = {}): void =>
      void response.writeHead(status, more).end(body);
    const failure = failures.shift();
    if (failure !== undefined) return reply(failure, `<Error><Code>Failure${failure}</Code></Error>`);
    const {method = '', url = '', headers} = request;
    const given = /Signature=([0-9a-f]{64})$/u.exec(String(headers.authorization))?.[1];
    if (given === undefined || given !== signatureOf({method, target: url, headers}, secret)) {
      return reply(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>');
    }
    const body = Buffer.concat(chunks);
    if (createHash('sha256').update(body).digest('hex') !== headers['x-amz-content-sha256']) {
      return reply(400, '<Error><Code>XAmzContentSHA256Mismatch</Code></Error>');
    }
    const {pathname, searchParams} = new URL(url, 'http://server');
    const key = pathname === `/${bucket}` ? undefined : pathname.slice(bucket.length + 2);
    const honest =
      key === undefined
        ? {status: 200, body: pageOf([...objects.keys()], searchParams)}
        : answerObject({method, key, body, headers}, objects);
    const reported = started.lie({method, key}, honest, objects);
    return reply(reported.status, reported.body, reported.headers);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const started: S3Server = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    failures,
    lie: (_, honest) => honest,
    cut: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return started;
}

interface ObjectRequest {
  readonly method: string;
  readonly key: string;
  readonly body: Buffer;
  readonly headers: IncomingMessage['headers'];
}

function answerObject({method, key, body, headers}: ObjectRequest, objects: Map<string, Buffer>): S3Answer {
  const object = objects.get(key);
  if (method === 'GET') return object ? {status: 200, body: object} : {status: 404, body: '<Code>NoSuchKey</Code>'};
  if (method === 'PUT' && object && headers['if-none-match'] === '*') return {status: 412};
  if (method === 'PUT') objects.set(key, body);
  else objects.delete(key);
  return {status: method === 'PUT' ? 200 : 204};
}

function pageOf(all: readonly string[], query: URLSearchParams): string {
  const from = Number(query.get('continuation-token') ?? 0);
  const keys = all.filter((key) => key.startsWith(query.get('prefix') ?? '')).toSorted();
  const entries = keys.slice(from, from + keysOnPage).map((key) => `<Contents><Key>${key}</Key></Contents>`);
  const next =
    from + keysOnPage < keys.length ? `<NextContinuationToken>${from + keysOnPage}</NextContinuationToken>` : '';
  return `<ListBucketResult>${entries.join('')}${next}</ListBucketResult>`;
}
