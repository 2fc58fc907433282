// Bare git repositories over HTTP on loopback, by git's own `http-backend`. A client must show the token as its password.
import {execFileSync, spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export interface GitServer {
  /** `host:port`. */
  readonly address: string;
  /** Of the repository. */
  readonly url: string;
  /** Of the repository, for the tests' own git: a synchronous client would wait for this process. */
  readonly path: string;
  /** Runs git in the bare repository. */
  git(...args: string[]): string;
  /** Until `up` is called, clients are not answered. */
  down(): void;
  up(): void;
  close(): Promise<void>;
}

export async function startGitServer(token: string): Promise<GitServer> {
  const root = mkdtempSync(join(tmpdir(), 'git-server-'));
  const repository = join(root, 'rooms.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  execFileSync('git', ['-C', repository, 'config', 'http.receivepack', 'true']);
  let isUp = true;
  const server = createServer((request, response) => {
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
    if (!isUp) request.socket.destroy();
    else if (request.headers.authorization === `Basic ${basic}`) serve(root, request, response);
    else response.writeHead(401, {'www-authenticate': 'Basic realm="git"'}).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    url: `http://${address}/rooms.git`,
    path: repository,
    git: (...args) => execFileSync('git', ['-C', repository, ...args], {encoding: 'utf8'}).trim(),
    down: () => {
      isUp = false;
    },
    up: () => {
      isUp = true;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(root, {recursive: true, force: true});
    },
  };
}

/** CGI: the request in the environment and on stdin, the response's head before its body on stdout. */
function serve(root: string, request: IncomingMessage, response: ServerResponse): void {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const {headers} = request;
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: headers['content-type'] ?? '',
      REMOTE_USER: 'ada',
      REMOTE_ADDR: '127.0.0.1',
      ...(headers['content-encoding'] !== undefined && {HTTP_CONTENT_ENCODING: headers['content-encoding']}),
      ...(headers['git-protocol'] !== undefined && {GIT_PROTOCOL: String(headers['git-protocol'])}),
    },
  });
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => {
    const whole = Buffer.concat(chunks);
    const end = whole.indexOf('\r\n\r\n');
    const lines = whole.subarray(0, end).toString('utf8').split('\r\n');
    const pairs = lines.map(
      (line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const,
    );
    const fields = Object.fromEntries(pairs);
    const {Status: status = '200', ...rest} = fields;
    response.writeHead(Number.parseInt(status, 10), rest).end(whole.subarray(end + 4));
  });
}
