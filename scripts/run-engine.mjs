// `node scripts/run-engine.mjs docker|podman [uid]`: a container engine for tests, in a separate folder. It prints `{socket, pid}`
// as JSON when the engine answers, and ends it when its own input ends. The machine's own engine is not touched.
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {chownSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {request} from 'node:http';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';

const [name, user = '0'] = process.argv.slice(2);
const startMs = 30_000;
const endMs = 10_000;
// Paths of sockets are short, and no test workspace contains this one.
const folder = mkdtempSync('/var/tmp/lumenflow-engine-');
const socket = join(folder, 'engine.sock');
chownSync(folder, Number(user), Number(user));
process.umask(0o022);
// A signal to the group of its caller ends the caller, and with it the input: what was started is ended in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

function start(program, args) {
  const log = openSync(join(folder, 'log'), 'a');
  const env = {PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: folder, XDG_RUNTIME_DIR: folder};
  return spawn(program, args, {cwd: '/', env, stdio: ['ignore', log, log], detached: true});
}

async function startDocker() {
  const containerd = join(folder, 'containerd.sock');
  writeFileSync(join(folder, 'daemon.json'), '{}');
  const [root, state] = ['containerd', 'containerd-state'].map((part) => join(folder, part));
  const first = start('containerd', ['--root', root, '--state', state, '-a', containerd]);
  for (let attempt = 0; attempt < 200 && !existsSync(containerd); attempt += 1) await delay(50);
  const second = start('dockerd', [
    '--config-file',
    join(folder, 'daemon.json'),
    '--containerd',
    containerd,
    '--data-root',
    join(folder, 'data'),
    '--exec-root',
    join(folder, 'exec'),
    '-H',
    `unix://${socket}`,
    '-p',
    join(folder, 'pid'),
    // Calls need no network of the engine, and the machine's own is not to be changed.
    '--bridge=none',
    '--iptables=false',
    '--ip6tables=false',
    '--oom-score-adjust=0',
  ]);
  return [first, second];
}

function startPodman() {
  const become = user === '0' ? [] : [`--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
  return [
    start('setpriv', [
      ...become,
      'podman',
      '--root',
      join(folder, 'data'),
      '--runroot',
      join(folder, 'run'),
      '--storage-driver',
      'overlay',
      '--runtime',
      'runc',
      '--cgroup-manager',
      'cgroupfs',
      '--events-backend',
      'file',
      'system',
      'service',
      '--time',
      '0',
      `unix://${socket}`,
    ]),
  ];
}

/** Undefined if it does not answer. */
async function ask(method, path) {
  return await new Promise((resolve) => {
    const sent = request({socketPath: socket, method, path, agent: false}, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text));
    });
    sent.on('error', () => resolve(undefined)).end();
  });
}

/** The innermost first. */
function mountsBelow() {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const points = lines.map((line) => line.split(' ')[4] ?? '');
  return points.filter((point) => point.startsWith(`${folder}/`)).toReversed();
}

async function end(children) {
  const listed = JSON.parse((await ask('GET', '/containers/json?all=1')) ?? '[]');
  for (const {Id} of listed) await ask('DELETE', `/containers/${Id}?force=1`);
  for (const child of children.toReversed()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await Promise.race([ended, delay(endMs, undefined, {ref: false})]);
    child.kill('SIGKILL');
  }
  // A rootless Podman leaves the process that keeps its namespaces.
  const pause = join(folder, 'libpod/tmp/pause.pid');
  if (existsSync(pause)) process.kill(Number(readFileSync(pause, 'utf8')), 'SIGKILL');
  for (const point of mountsBelow()) execFileSync('umount', ['--lazy', point]);
  rmSync(folder, {recursive: true, force: true});
}

const children = name === 'docker' ? await startDocker() : startPodman();
const until = Date.now() + startMs;
while ((await ask('GET', '/_ping')) === undefined && Date.now() < until) await delay(100);
if (Date.now() >= until) {
  process.stderr.write(readFileSync(join(folder, 'log'), 'utf8').slice(-2000));
  await end(children);
  process.exit(1);
}
process.stdout.write(`${JSON.stringify({socket, pid: children.at(-1).pid})}\n`);
process.stdin.resume();
await once(process.stdin, 'end');
await end(children);
process.exit(0);
