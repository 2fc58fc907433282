// A cluster with one node in an empty folder, for tests: etcd, Kubernetes and containerd, all on the loopback.
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {openSync, readdirSync, readFileSync, symlinkSync} from 'node:fs';
import {request} from 'node:https';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {kubernetesPrograms} from './build-kubernetes.mjs';
import {
  apiServerArgs,
  controllerArgs,
  kubeletArgs,
  schedulerArgs,
  tokens,
  writeClusterFiles,
} from './cluster-files.mjs';
import {pauseImage} from './pause-image.mjs';
import {setUpCluster} from './set-up-cluster.mjs';

/** Of all programs together. */
const startMs = 180_000;
const answerMs = 5000;
const endMs = 10_000;

export async function runCluster(folder) {
  const bin = kubernetesPrograms();
  if (bin === undefined) throw new Error('Kubernetes is not built: run `npm run engines -- kubernetes`');
  const at = (name) => join(folder, name);
  const ports = await freePorts(['etcd', 'peers', 'api', 'kubelet', 'health']);
  writeClusterFiles(folder, ports);
  linkPlugins(at('plugins'));
  const children = [];
  const end = () => endAll(children, folder);
  const kubectl = join(bin, 'kubectl');
  const [kubeconfig, containerd] = [at('admin.json'), at('containerd.sock')];
  try {
    await startPrograms({bin, folder, at, ports, children});
    const image = setUpCluster({kubectl, kubeconfig, containerd, folder});
    // Of later pods.
    const networks = {
      directory: at('cni/10-test.conflist'),
      open: at('open.conflist'),
      closed: at('closed.conflist'),
    };
    return {kubeconfig, hostKubeconfig: at('host.json'), kubectl, image, networks, end};
  } catch (error) {
    await end();
    throw error;
  }
}

async function startPrograms({bin, folder, at, ports, children}) {
  const deadline = Date.now() + startMs;
  const start = (name, program, args) => {
    const path = at(`${name}.log`);
    const log = openSync(path, 'a');
    const env = {PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: folder};
    const child = spawn(program, args, {cwd: '/', env, stdio: ['ignore', log, log], detached: true});
    children.push(child);
    const isReady = (what, ask) => until({what, ask, child, path, deadline});
    return {isReady};
  };
  const api = (path) => ask(ports.api, path);
  start('etcd', 'etcd', etcdArgs(at('etcd'), ports));
  const containerd = start('containerd', 'containerd', ['--config', at('containerd.toml')]);
  const server = start('api', join(bin, 'kube-apiserver'), apiServerArgs(at, ports));
  await containerd.isReady('containerd', () => ctr(at, 'version').status === 0);
  const {status, stderr} = ctr(at, 'images', 'import', pauseImage(folder));
  if (status !== 0) throw new Error(`the pause image could not be imported: ${stderr}`);
  await server.isReady('the API server', async () => (await api('/readyz')).text === 'ok');
  const controllers = start('controllers', join(bin, 'kube-controller-manager'), controllerArgs(at));
  start('scheduler', join(bin, 'kube-scheduler'), schedulerArgs(at));
  const kubelet = start('kubelet', join(bin, 'kubelet'), kubeletArgs(at));
  await kubelet.isReady('the node', async () => isNodeReady((await api('/api/v1/nodes/localhost')).text));
  const account = '/api/v1/namespaces/default/serviceaccounts/default';
  await controllers.isReady('the account of pods', async () => (await api(account)).status === 200);
}

async function until({what, ask, child, path, deadline}) {
  while (!(await ask())) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded || Date.now() > deadline) {
      const why = hasEnded ? 'its program has ended' : `it is not ready after ${startMs / 1000} s`;
      throw new Error(`${what} did not start: ${why}; the end of its log:\n${readFileSync(path, 'utf8').slice(-2000)}`);
    }
    await delay(100);
  }
}

function etcdArgs(data, {etcd, peers}) {
  const [client, peer] = [etcd, peers].map((port) => `http://127.0.0.1:${port}`);
  return [
    `--data-dir=${data}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    // A test's data need not survive.
    '--unsafe-no-fsync',
  ];
}

function linkPlugins(folder) {
  for (const name of ['ptp', 'host-local', 'loopback']) symlinkSync(join('/usr/lib/cni', name), join(folder, name));
}

/** It waits for ever for a socket that does not exist yet. */
const ctrOptions = ['--connect-timeout', '5s', '--namespace', 'k8s.io'];
const ctrMs = 60_000;

function ctr(at, ...args) {
  return spawnSync('ctr', [...ctrOptions, '--address', at('containerd.sock'), ...args], {
    encoding: 'utf8',
    timeout: ctrMs,
  });
}

function isNodeReady(text) {
  const {status} = JSON.parse(text || '{}');
  return status?.conditions?.some(({type, status: value}) => type === 'Ready' && value === 'True') === true;
}

async function freePorts(names) {
  const servers = await Promise.all(
    names.map(async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => server.address().port);
  for (const server of servers) server.close();
  return Object.fromEntries(names.map((name, index) => [name, ports[index]]));
}

async function ask(port, path) {
  return await new Promise((resolve) => {
    const headers = {authorization: `Bearer ${tokens.admin}`};
    const options = {host: '127.0.0.1', port, path, headers, rejectUnauthorized: false, agent: false};
    const signal = AbortSignal.timeout(answerMs);
    request({...options, signal}, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk)).on('end', () => resolve({status: response.statusCode, text}));
    })
      .on('error', () => resolve({status: 0, text: ''}))
      .end();
  });
}

/** Its containers end with it; its own programs do it by their numbers alone. */
async function endAll(children, folder) {
  const [etcd, containerd, ...others] = children;
  await Promise.all(others.toReversed().map(endChild));
  endContainers((name) => join(folder, name));
  for (const child of [containerd, etcd]) if (child !== undefined) await endChild(child);
  endShims(join(folder, 'containerd.sock'));
}

async function endChild(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([ended, delay(endMs, undefined, {ref: false})]);
  child.kill('SIGKILL');
}

function endContainers(at) {
  for (const id of (ctr(at, 'tasks', 'ls', '--quiet').stdout ?? '').split('\n').filter(Boolean))
    ctr(at, 'tasks', 'rm', '--force', id);
}

function endShims(socket) {
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`\0-address\0${socket}\0`))
        process.kill(Number(pid), 'SIGKILL');
    } catch (error) {
      // It has ended in the meantime.
      if (!['ENOENT', 'ESRCH'].includes(error.code)) throw error;
    }
  }
}
