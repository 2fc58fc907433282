// A model server on loopback for tests. It replies in a dialect's wire format, whole or streamed, and can fail in the ways that
// real servers do.
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Dialect, Scene} from './dialects.fixture.ts';

export type Answer =
  | {readonly scene: Scene; readonly delay_ms?: number; readonly break_after?: number}
  | {readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string}
  | {readonly raw: string; readonly type?: string}
  | {readonly hang_up: true};

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ModelServer {
  readonly base_url: string;
  readonly requests: readonly SeenRequest[];
  /** Sends these answers in order and repeats the last one. */
  answer(...answers: readonly Answer[]): void;
  close(): Promise<void>;
}

export async function startModelServer(dialect: Dialect): Promise<ModelServer> {
  let answers: readonly Answer[] = [];
  const requests: SeenRequest[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(await readBody(request)) as SeenRequest['body'];
    requests.push({path: request.url ?? '', headers: request.headers, body});
    const [answer = {status: 500}, ...rest] = answers;
    if (rest.length > 0) answers = rest;
    await give(dialect, answer, {response, isStreamed: body['stream'] === true});
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answer(...given) {
      answers = given;
      requests.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

async function give(
  dialect: Dialect,
  answer: Answer,
  {response, isStreamed}: {readonly response: ServerResponse; readonly isStreamed: boolean},
): Promise<void> {
  if ('hang_up' in answer) return void response.destroy();
  if ('status' in answer) return void response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
  if ('raw' in answer)
    return void response.writeHead(200, {'content-type': answer.type ?? 'application/json'}).end(answer.raw);
  const {scene, delay_ms: delay = 0, break_after: breakAfter} = answer;
  if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
  if (!isStreamed) {
    const text = JSON.stringify(dialect.whole(scene));
    response.writeHead(200, {'content-type': 'application/json', 'content-length': Buffer.byteLength(text)});
    if (breakAfter === undefined) return void response.end(text);
    return void response.write(text.slice(0, 10), () => response.destroy());
  }
  response.writeHead(200, {'content-type': 'text/event-stream'});
  const frames = dialect.frames(scene);
  const sent = frames.slice(0, breakAfter).join('');
  // In chunks that split lines and characters.
  const bytes = Buffer.from(sent);
  for (let at = 0; at < bytes.length; at += 37) await written(response, bytes.subarray(at, at + 37));
  if (breakAfter === undefined) response.end();
  else response.destroy();
}

async function written(response: ServerResponse, bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve) => response.write(bytes, () => resolve()));
}
