// Programs that know nothing of an allowlist work under one: no proxy is configured anywhere.
import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {createServer as createHttpsServer} from 'node:https';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {findProgram} from '../commands/find-program.ts';
import {createNetworkBench, networkObstacle, type NetworkBench} from '../testing/network-bench.fixture.ts';

const missing = ['curl', 'git', 'openssl', 'python3'].filter((name) => findProgram(name) === undefined);
const obstacle = networkObstacle() ?? (missing.length === 0 ? undefined : `${missing.join(' and ')} not installed`);
if (obstacle !== undefined) process.stderr.write(`skipped: programs under an allowlist: ${obstacle}\n`);

describe.skipIf(obstacle !== undefined)('programs under an allowlist', () => {
  let network: NetworkBench;
  let [echo, web] = [0, 0];
  beforeAll(async () => {
    network = await createNetworkBench();
    ({echo, web} = network);
  });
  afterAll(() => network.remove());

  test('curl, git over https, fetch and Python work as they are', async () => {
    const sign = await createSpawnExecutor().run({
      command: 'sh',
      args: [
        '-c',
        `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out ca.pem -days 2 -subj /CN=api.test -addext subjectAltName=DNS:api.test
         git init -q -b main repository; cd repository; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first; git update-server-info`,
      ],
      cwd: network.bench.workspace,
      env: {PATH: '/usr/bin:/bin', HOME: network.bench.folder},
      outputSink: {kind: 'capture', maxBytes: 10_000},
    });
    expect([sign.exitCode, sign.stderr]).toEqual([0, expect.anything()]);
    const read = (path: string) => readFileSync(join(network.bench.workspace, path));
    mkdirSync(join(network.bench.workspace, 'clones'));
    const https = await network.listen(
      createHttpsServer({key: read('key.pem'), cert: read('ca.pem')}, (request, response) => {
        const path = join(
          'repository/.git',
          new URL(request.url ?? '', 'https://x').pathname.replace('/repository/', ''),
        );
        if (existsSync(join(network.bench.workspace, path))) response.end(read(path));
        else response.writeHead(404).end();
      }),
    );
    const {output} = await network.run(
      `const ca = context.workspace_root + '/ca.pem'; const url = 'https://api.test:${https}/repository/HEAD';
       return {
         curl: await sh('curl -sS --cacert ' + ca + ' ' + url), plain: await sh('curl -sS http://api.test:${web}/c'), six: await sh('curl -6 -sS http://api.test:${web}/c'),
         git: await sh('cd clones && GIT_SSL_CAINFO=' + ca + ' git clone -q https://api.test:${https}/repository/ one && git -C one log --format=%s'),
         python: await sh('python3 -c "import ssl, urllib.request as u; print(u.urlopen(\\\\"' + url + '\\\\", context=ssl.create_default_context(cafile=\\\\"' + ca + '\\\\")).read().decode().strip())"'),
         node: await sh('NODE_EXTRA_CA_CERTS=' + ca + ' node -e "fetch(process.argv[1]).then((r) => r.text()).then((t) => process.stdout.write(t))" ' + url),
         bash: await sh('bash -c "exec 3<>/dev/tcp/api.test/${echo}; echo hi >&3; head -n 1 <&3"'),
       };`,
      {
        read: ['**'],
        write: ['clones/**'],
        allow: [https, web, echo].flatMap((port) => [`api.test:${port}`, `127.0.0.1:${port}`]),
      },
    );
    expect(output.data).toEqual({
      curl: 'ref: refs/heads/main\n',
      plain: `api.test:${web}/c`,
      six: `api.test:${web}/c`,
      git: 'first\n',
      python: 'ref: refs/heads/main\n',
      node: 'ref: refs/heads/main\n',
      bash: 'hi\n',
    });
  });
});
