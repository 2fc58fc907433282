// A staged runtime behind a real HTTP server on a real socket, and clients with tokens of each role.
import {
  openSession,
  openTokenStore,
  startHttpServer,
  type HttpServer,
  type HttpServerOptions,
  type TokenStore,
} from '@lumenflow/host';
import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createAnswerCheck, type AnswerCheck, type ApiDescription} from './answer-check.ts';
import {createStage, type RuntimeWords, type Stage, type StagedRuntime} from './stage.ts';
import {stateKinds} from './state-home.ts';
import {removeTree} from './remove-tree.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Any answer of the API; tests inspect it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface Client {
  readonly token: string;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown, init?: RequestInit): Promise<Answer>;
}

export interface HttpStage {
  readonly stage: Stage;
  readonly server: HttpServer;
  readonly runtime: StagedRuntime;
  readonly tokens: TokenStore;
  /** The folder of the workspace. */
  readonly root: string;
  /** Two of them, ann and ben. */
  readonly agent: Client;
  readonly otherAgent: Client;
  readonly operator: Client;
  readonly otherOperator: Client;
  readonly admin: Client;
  /** Errors that the server reported to its operator. */
  readonly errors: readonly unknown[];
  client(token: string): Client;
  close(): Promise<void>;
}

export interface HttpWords extends RuntimeWords {
  readonly server?: Partial<HttpServerOptions>;
}

export async function openHttpStage(words: HttpWords = {}): Promise<HttpStage> {
  const [kind] = stateKinds;
  if (!kind) throw new Error('there is no kind of state');
  const stage = createStage(kind);
  const runtime = await stage.open(words);
  const root = mkdtempSync(join(tmpdir(), 'lf-http-'));
  const tokens = openTokenStore(root);
  const errors: unknown[] = [];
  const host = {runtime, workspaceRoot: root, openSession: openSession.bind(undefined, runtime)};
  const options = {tokens, version: '0.0.0', onError: (error: unknown) => errors.push(error), ...words.server};
  const server = await startHttpServer(host, options).catch(async (error: unknown) => {
    await stage.close();
    removeTree(root);
    throw error;
  });
  const ada = await tokens.issue({name: 'ada', role: 'admin'});
  const check = await checkOf(server.url, ada);
  const client = (token: string): Client => createClient(server.url, token, check);
  return {
    stage,
    server,
    runtime,
    tokens,
    root,
    errors,
    client,
    agent: client(await tokens.issue({name: 'ann', role: 'agent'})),
    otherAgent: client(await tokens.issue({name: 'ben', role: 'agent'})),
    operator: client(await tokens.issue({name: 'olga', role: 'operator'})),
    otherOperator: client(await tokens.issue({name: 'otto', role: 'operator'})),
    admin: client(ada),
    async close() {
      await server.close();
      await stage.close();
      removeTree(root);
    },
  };
}

/** All stages of a test file serve the same description. */
let described: AnswerCheck | undefined;

async function checkOf(url: string, token: string): Promise<AnswerCheck> {
  if (described) return described;
  const response = await fetch(`${url}/openapi.json`, {headers: {authorization: `Bearer ${token}`}});
  described = createAnswerCheck((await response.json()) as ApiDescription);
  return described;
}

/** Of a server of another make. */
export async function clientOf(url: string, token: string): Promise<Client> {
  return createClient(url, token, await checkOf(url, token));
}

/** Every answer must be one that the API's description has. */
function createClient(url: string, token: string, check: AnswerCheck): Client {
  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'};
    const response = await fetch(url + path, {
      ...init,
      headers: {...headers, ...(init.headers as Record<string, string>)},
    });
    const {status} = response;
    const text = await response.text();
    const contentType = response.headers.get('content-type') ?? '';
    const body: unknown = contentType === 'application/json' && text !== '' ? JSON.parse(text) : text;
    const misfit = check(init.method ?? 'GET', path, {status, contentType, body});
    if (misfit !== undefined) throw new Error(misfit);
    return {status, headers: response.headers, body};
  };
  return {
    token,
    get: (path) => send(path, {}),
    post: (path, body, init) =>
      send(path, {method: 'POST', ...(body !== undefined && {body: JSON.stringify(body)}), ...init}),
  };
}
