// Builds the programs of a Kubernetes cluster from Debian's source package, with Debian's Go and without any other network. It takes
// minutes, once: what it built stays in the user's cache, outside of the checkout.
import {spawnSync} from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {say} from '../run.mjs';

const programs = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kubectl'];
const buildMs = 45 * 60_000;
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'lumenflow', 'kubernetes');

/** Where they are; undefined if they were not built. */
export function kubernetesPrograms() {
  const folder = join(cache, 'bin');
  return programs.every((name) => existsSync(join(folder, name))) ? folder : undefined;
}

/** Returns why it failed; undefined if it did not. */
export function buildKubernetes() {
  if (kubernetesPrograms() !== undefined) return undefined;
  const build = join(cache, 'build');
  mkdirSync(build, {recursive: true});
  say(`building Kubernetes from Debian's source package, which takes minutes (log: ${join(build, 'log')}) …`);
  const problem = unpackSource(build) ?? compile(build);
  if (problem !== undefined) return problem;
  const bin = join(build, 'src/_output/local/bin/linux', process.arch === 'x64' ? 'amd64' : 'arm64');
  mkdirSync(join(cache, 'bin'), {recursive: true});
  for (const name of programs) renameSync(join(bin, name), join(cache, 'bin', name));
  rmSync(build, {recursive: true});
  return undefined;
}

function unpackSource(build) {
  if (existsSync(join(build, 'src'))) return undefined;
  for (const folder of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(build, folder), {recursive: true});
  // Lists of its own: the machine may not list source packages, and its lists are not to be changed.
  writeFileSync(join(build, 'sources.list'), `deb-src ${debian()} main\n`);
  const apt = (...args) => [
    'apt-get',
    '-o',
    `Dir::Etc::SourceList=${join(build, 'sources.list')}`,
    '-o',
    'Dir::Etc::SourceParts=/dev/null',
    '-o',
    `Dir::State::Lists=${join(build, 'lists')}`,
    '-o',
    `Dir::Cache=${join(build, 'cache')}`,
    ...args,
  ];
  return (
    run(build, apt('update')) ??
    run(build, apt('source', '--download-only', 'kubernetes')) ??
    run(build, ['dpkg-source', '-x', readdirSync(build).find((name) => name.endsWith('.dsc')) ?? '', 'src'])
  );
}

/** Of bookworm, whose Go compiles it: as the machine's own sources name it. */
function debian() {
  const listed = '/etc/apt/sources.list.d/debian.sources';
  const own = existsSync(listed) ? readFileSync(listed, 'utf8') : '';
  const uri = /^URIs: (\S+)/m.exec(own)?.[1] ?? 'http://deb.debian.org/debian';
  return `[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${uri} bookworm`;
}

function compile(build) {
  const source = join(build, 'src');
  const path = join(source, '.go/src/k8s.io');
  mkdirSync(path, {recursive: true});
  // The makefiles expect the source in this position of GOPATH.
  if (!existsSync(join(path, 'kubernetes'))) symlinkSync('../../..', join(path, 'kubernetes'));
  const env = {
    PATH: process.env.PATH,
    HOME: build,
    GOPATH: join(source, '.go'),
    GOCACHE: join(build, 'go-cache'),
    GOPROXY: 'off',
    CGO_ENABLED: '0',
  };
  const what = programs.map((name) => `cmd/${name}`).join(' ');
  return run(source, ['nice', '-n', '5', 'make', `WHAT=${what}`, 'GOLDFLAGS=-s -w'], {env, log: join(build, 'log')});
}

function run(cwd, [command, ...args], {env = process.env, log = join(cwd, 'log')} = {}) {
  const output = openSync(log, 'a');
  const {status, error} = spawnSync(command, args, {cwd, env, stdio: ['ignore', output, output], timeout: buildMs});
  return status === 0
    ? undefined
    : `\`${command} ${args.at(-1)}\` failed${error ? ` (${error.message})` : ''}: see ${log}`;
}
