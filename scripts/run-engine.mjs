// `node scripts/run-engine.mjs docker|podman|containerd|kata|kubernetes [uid] [folder]`: an engine for tests, in an empty folder. It
// prints `{socket, pid}` as JSON when the engine answers, and again after each line of its input, which starts an engine that was killed.
// It ends it when its input ends. The machine's own engine is not touched.
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {chownSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {request} from 'node:http';
import {connect} from 'node:net';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {setTimeout as delay} from 'node:timers/promises';
import {endProcessesOf} from './end-processes-of.mjs';

const [name, user = '0', given] = process.argv.slice(2);
const startMs = 60_000;
const endMs = 10_000;
// Paths of sockets are short, and no test workspace contains this one.
const folder = given ?? mkdtempSync('/var/tmp/lumenflow-engine-');
const socket = join(folder, 'engine.sock');
// Of programs that no distribution has.
const shims = join(folder, 'shims');
chownSync(folder, Number(user), Number(user));
process.umask(0o022);
// A signal to the group of its caller ends the caller, and with it the input: what was started is ended in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

function start(program, args) {
  const log = openSync(join(folder, 'log'), 'a');
  const env = {PATH: `${shims}:/usr/sbin:/usr/bin:/sbin:/bin`, HOME: folder, XDG_RUNTIME_DIR: folder};
  return spawn(program, args, {cwd: '/', env, stdio: ['ignore', log, log], detached: true});
}

const containerd = join(folder, 'containerd.sock');

async function startContainerdOfDocker() {
  const [root, state] = ['containerd', 'containerd-state'].map((part) => join(folder, part));
  const child = start('containerd', ['--root', root, '--state', state, '-a', containerd]);
  for (let attempt = 0; attempt < 200 && !existsSync(containerd); attempt += 1) await delay(50);
  return child;
}

function startDocker() {
  writeFileSync(join(folder, 'daemon.json'), '{}');
  return start('dockerd', [
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
}

/** crun rejects machines that use both versions of control groups: this containerd does not see the second one. */
function startContainerd() {
  const hide = '! mountpoint -q /sys/fs/cgroup/unified || umount /sys/fs/cgroup/unified';
  const [root, state, config] = ['containerd', 'state', 'containerd.toml'].map((part) => join(folder, part));
  // Calls need no network of the engine, and no Kubernetes.
  writeFileSync(config, 'version = 2\ndisabled_plugins = ["io.containerd.grpc.v1.cri"]\n');
  const options = ['--config', config, '--root', root, '--state', state, '--address', socket];
  return start('unshare', ['--mount', 'sh', '-c', `${hide}; exec containerd "$@"`, 'sh', ...options]);
}

/** No package has Kata Containers: in place of its shim, that of runc, which starts gVisor, whose kernel is not the host's either. */
function makeKataStandIn() {
  const programs = join(folder, 'gvisor');
  for (const path of [shims, programs]) mkdirSync(path);
  const options = '--network=none --oci-seccomp';
  writeFileSync(join(programs, 'runc'), `#!/bin/sh\nexec runsc ${options} "$@"\n`, {mode: 0o755});
  const shim = `#!/bin/sh\nPATH=${programs}:$PATH exec containerd-shim-runc-v2 "$@"\n`;
  writeFileSync(join(shims, 'containerd-shim-kata-v2'), shim, {mode: 0o755});
}

function startPodman() {
  const become = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
  const [program, ...before] = [...(Number(user) === process.getuid() ? [] : become), 'podman'];
  return start(program, [
    ...before,
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
  ]);
}

/** Of containerd, which has no HTTP: whether it accepts connections. */
async function accepts() {
  return await new Promise((resolve) => {
    const connection = connect(socket, () => resolve(true)).once('error', () => resolve(false));
    connection.unref();
  });
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

/** Its engine, which is ending, may do it first. */
function unmount(point) {
  const {stderr} = spawnSync('umount', ['--lazy', point], {encoding: 'utf8'});
  if (mountsBelow().includes(point)) throw new Error(`\`${point}\` could not be unmounted: ${stderr}`);
}

function removeTasks() {
  const ctr = (...args) =>
    spawnSync('ctr', ['--address', socket, '--namespace', 'lumenflow', 'tasks', ...args], {timeout: endMs});
  for (const id of String(ctr('ls', '--quiet').stdout).split('\n').filter(Boolean)) ctr('rm', '--force', id);
}

async function end(children) {
  if (isContainerd) removeTasks();
  else {
    const listed = JSON.parse((await ask('GET', '/containers/json?all=1')) ?? '[]');
    for (const {Id} of listed) await ask('DELETE', `/containers/${Id}?force=1`);
  }
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
  await leaveNothing();
}

/** Also of an engine that was killed. */
async function leaveNothing() {
  const left = await endProcessesOf(folder);
  if (left.length > 0) throw new Error(`processes of ${name} did not end: ${left.join('; ')}`);
  mountsBelow().forEach(unmount);
  // Images contain read-only directories, whose files an ordinary user cannot remove.
  if (process.getuid() !== 0) spawnSync('chmod', ['-R', 'u+rwX', folder]);
  rmSync(folder, {recursive: true, force: true});
}

/** A cluster is more than one program. */
async function runKubernetes() {
  const {runCluster} = await import('./kubernetes/run-cluster.mjs');
  try {
    const {end: endCluster, ...cluster} = await runCluster(folder);
    process.stdout.write(`${JSON.stringify(cluster)}\n`);
    for await (const _ of createInterface({input: process.stdin}));
    await endCluster();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
  await leaveNothing();
  process.exit();
}

if (name === 'kubernetes') await runKubernetes();

const starts = {docker: startDocker, podman: startPodman, containerd: startContainerd, kata: startContainerd};
const isContainerd = starts[name] === startContainerd;
if (name === 'kata') makeKataStandIn();
const children = name === 'docker' ? [await startContainerdOfDocker()] : [];
const isReady = async () => (isContainerd ? await accepts() : (await ask('GET', '/_ping')) !== undefined);

async function startEngine() {
  children.push(starts[name]());
  const until = Date.now() + startMs;
  while (!(await isReady()) && Date.now() < until) await delay(100);
  if (Date.now() >= until) {
    process.stderr.write(readFileSync(join(folder, 'log'), 'utf8').slice(-2000));
    await end(children);
    process.exit(1);
  }
  process.stdout.write(`${JSON.stringify({socket, pid: children.at(-1).pid})}\n`);
}

await startEngine();
for await (const _ of createInterface({input: process.stdin})) await startEngine();
await end(children);
process.exit(0);
