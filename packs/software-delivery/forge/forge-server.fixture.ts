// A forge on loopback for tests, with requests for review in memory. It replies like GitHub's or GitLab's API: created, existing,
// wrong token, invalid, rate limit, merged and closed.
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {onTestFinished} from 'vitest';

export interface ForgeServer {
  readonly url: string;
  /** Method and path of each request. */
  readonly seen: readonly string[];
  readonly requests: readonly Stored[];
  /** The next reply, whatever is asked. */
  fail(status: number, body: object, headers?: Readonly<Record<string, string>>): void;
}

export interface Stored {
  readonly number: number;
  readonly branch: string;
  readonly target: string;
  title: string;
  body: string;
  draft: boolean;
  state: 'open' | 'merged' | 'closed';
  commit?: string;
}

interface Failure {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

type Fields = Readonly<Record<string, unknown>>;

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** How one API names things. */
interface Dialect {
  readonly path: string;
  isAuthorized(headers: IncomingMessage['headers'], token: string): boolean;
  readonly unauthorized: Fields;
  stored(number: number, fields: Fields): Stored;
  shown(stored: Stored): Fields;
  readonly exists: Reply;
  readonly invalid: Reply;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const github: Dialect = {
  path: '/repos/acme/rooms/pulls',
  isAuthorized: ({authorization, accept}, token) =>
    authorization === `Bearer ${token}` && accept === 'application/vnd.github+json',
  unauthorized: {message: 'Bad credentials', documentation_url: 'https://docs.github.example'},
  stored: (number, {head, base, title, body, draft}) => ({
    number,
    branch: text(head),
    target: text(base),
    title: text(title),
    body: text(body),
    draft: draft === true,
    state: 'open',
  }),
  shown: ({number, state, commit, title}) => ({
    number,
    title,
    html_url: `https://forge.example/acme/rooms/pull/${number}`,
    state: state === 'open' ? 'open' : 'closed',
    merged: state === 'merged',
    // An open request has a commit that only tries the merge.
    merge_commit_sha: commit ?? 'e'.repeat(40),
  }),
  exists: {
    status: 422,
    body: {message: 'Validation Failed', errors: [{message: 'A pull request already exists for acme:lane/core/wu-1.'}]},
  },
  invalid: {status: 422, body: {message: 'Validation Failed', errors: [{field: 'base', code: 'invalid'}]}},
};

const gitlab: Dialect = {
  path: '/projects/acme%2Frooms/merge_requests',
  isAuthorized: (headers, token) => headers['private-token'] === token,
  unauthorized: {message: '401 Unauthorized'},
  stored: (number, {source_branch: branch, target_branch: target, title, description}) => ({
    number,
    branch: text(branch),
    target: text(target),
    title: text(title),
    body: text(description),
    draft: text(title).startsWith('Draft: '),
    state: 'open',
  }),
  shown: ({number, state, commit, title}) => ({
    iid: number,
    title,
    web_url: `https://forge.example/acme/rooms/-/merge_requests/${number}`,
    state: state === 'open' ? 'opened' : state,
    sha: 'f'.repeat(40),
    merge_commit_sha: null,
    squash_commit_sha: commit ?? null,
  }),
  exists: {status: 409, body: {message: ['Another open merge request already exists for this source branch: !1']}},
  invalid: {status: 422, body: {error: 'target_branch is invalid'}},
};

export async function startForgeServer(kind: 'github' | 'gitlab', token: string): Promise<ForgeServer> {
  const dialect = kind === 'github' ? github : gitlab;
  const requests: Stored[] = [];
  const seen: string[] = [];
  let failure: Failure | undefined;
  const server = createServer((request, response) => {
    void readJson(request).then((fields) => {
      seen.push(`${request.method ?? ''} ${request.url ?? ''}`);
      const next = failure;
      failure = undefined;
      if (next !== undefined) return send(response, next, next.headers);
      if (!dialect.isAuthorized(request.headers, token))
        return send(response, {status: 401, body: dialect.unauthorized});
      return send(response, handle(dialect, requests, {request, fields}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    requests,
    fail(status, body, headers = {}) {
      failure = {status, body, headers};
    },
  };
}

interface Asked {
  readonly request: IncomingMessage;
  readonly fields: Fields;
}

function handle(dialect: Dialect, requests: Stored[], {request, fields}: Asked): Reply {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  if (path === dialect.path && request.method === 'POST') {
    const made = dialect.stored(requests.length + 1, fields);
    if (made.target !== 'main') return dialect.invalid;
    if (requests.some(({branch, state}) => branch === made.branch && state === 'open')) return dialect.exists;
    requests.push(made);
    return {status: 201, body: dialect.shown(made)};
  }
  if (path === dialect.path) {
    const wanted = new URLSearchParams(query);
    const branch = wanted.get('source_branch') ?? wanted.get('head')?.replace(/^acme:/u, '');
    return {
      status: 200,
      body: requests.filter((each) => each.branch === branch && each.state === 'open').map(dialect.shown),
    };
  }
  const found = requests.find(({number}) => path === `${dialect.path}/${number}`);
  if (found === undefined) return {status: 404, body: {message: 'Not Found'}};
  if (request.method !== 'GET')
    Object.assign(found, {title: text(fields['title']), body: text(fields['body'] ?? fields['description'])});
  return {status: 200, body: dialect.shown(found)};
}

async function readJson(request: IncomingMessage): Promise<Fields> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  return body === '' ? {} : (JSON.parse(body) as Fields);
}

function send(response: ServerResponse, {status, body}: Reply, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, {'content-type': 'application/json', ...headers}).end(JSON.stringify(body));
}
