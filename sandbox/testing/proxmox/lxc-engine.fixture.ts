// Runs the containers of the stand-in for Proxmox VE by LXC: unprivileged, as Proxmox VE configures them.
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {mkdir, rm, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import type {ContainerEngine, ContainerSettings} from './container-engine.fixture.ts';

/** What the template contains. */
export interface LxcTemplate {
  readonly command: readonly string[];
  /** Absolute paths inside, with their contents. */
  readonly files: Readonly<Record<string, string>>;
  /** Folders of this machine that it has read-only, by the path inside. */
  readonly folders: Readonly<Record<string, string>>;
}

export interface LxcEngineOptions {
  /** Of the containers. */
  readonly folder: string;
  readonly template: {readonly id: number} & LxcTemplate;
  readonly bridge: string;
  /** The first three numbers of its addresses. */
  readonly network: string;
  /** Relative to the root of each hierarchy. */
  readonly controlGroup: string;
}

const run = promisify(execFile);
const firstUser = 100_000;
const users = 65_536;
const isUnified = existsSync('/sys/fs/cgroup/cgroup.controllers');
const emptyFolders = ['proc', 'sys', 'dev', 'tmp', 'usr', 'etc', 'run', 'root', 'var/tmp', 'srv'];

export async function createLxcEngine(options: LxcEngineOptions): Promise<ContainerEngine> {
  const {folder, template, network} = options;
  const root = (id: number): string => join(folder, String(id), 'rootfs');
  const saved = (id: number, name: string): string => join(folder, String(id), name);
  const lxc = async (program: string, id: number, ...args: readonly string[]): Promise<void> => {
    await run(program, ['-P', folder, '-n', String(id), ...args]);
  };
  const addressOf = (id: number): string => `${network}.${100 + (id % 100)}`;
  await makeTemplate(root(template.id), template);
  return {
    addressOf,
    copy: async (from, to) => await copyTree(root(from), root(to)),
    async start(id, settings) {
      await writeFile(join(folder, String(id), 'config'), configOf(options, {id, address: addressOf(id), settings}));
      const log = join(folder, String(id), 'log');
      await lxc('lxc-start', id, '-d', '-o', log, '-l', 'WARN');
    },
    stop: async (id) => await lxc('lxc-stop', id, '-k'),
    async limit(id, {memory}) {
      const [file = '', value = ''] = memoryLimit(memory);
      await lxc('lxc-cgroup', id, file, value);
    },
    save: async (id, name) => await copyTree(root(id), saved(id, name)),
    async restore(id, name) {
      await rm(root(id), {recursive: true});
      await copyTree(saved(id, name), root(id));
    },
    remove: async (id) => await rm(join(folder, String(id)), {recursive: true}),
  };
}

async function makeTemplate(root: string, {files, folders}: LxcTemplate): Promise<void> {
  const paths = [...emptyFolders, ...Object.keys(folders)];
  for (const path of paths) await mkdir(join(root, path), {recursive: true});
  for (const each of ['bin', 'sbin', 'lib', 'lib64']) await symlink(`usr/${each}`, join(root, each));
  const accounts = {'/etc/passwd': 'root:x:0:0:root:/root:/bin/sh\n', '/etc/group': 'root:x:0:\n'};
  for (const [path, content] of Object.entries({...accounts, ...files})) {
    await mkdir(dirname(join(root, path)), {recursive: true});
    await writeFile(join(root, path), content);
  }
  await run('chown', ['-R', '--no-dereference', `${firstUser}:${firstUser}`, root]);
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), {recursive: true, mode: 0o755});
  await run('cp', ['-a', from, to]);
}

function memoryLimit(mebibytes: number): readonly string[] {
  return [isUnified ? 'memory.max' : 'memory.limit_in_bytes', `${mebibytes * 1024 ** 2}`];
}

interface Started {
  readonly id: number;
  readonly address: string;
  readonly settings: ContainerSettings;
}

/** `nesting`, as Proxmox VE means it: a second proc that is not masked, and separate control groups. */
function configOf(
  {folder, template, bridge, controlGroup}: LxcEngineOptions,
  {id, address, settings}: Started,
): string {
  const [file, value] = memoryLimit(settings.memory);
  const folders = {'/usr': '/usr', ...template.folders};
  return [
    `lxc.uts.name = ct${id}`,
    `lxc.rootfs.path = dir:${join(folder, String(id), 'rootfs')}`,
    ...['u', 'g'].map((kind) => `lxc.idmap = ${kind} 0 ${firstUser} ${users}`),
    'lxc.apparmor.profile = unconfined',
    'lxc.cap.drop = mac_admin mac_override sys_time sys_module sys_rawio',
    `lxc.cgroup.dir = ${controlGroup}/${id}`,
    `lxc.cgroup${isUnified ? '2' : ''}.${file} = ${value}`,
    'lxc.net.0.type = veth',
    `lxc.net.0.link = ${bridge}`,
    'lxc.net.0.name = eth0',
    'lxc.net.0.flags = up',
    // It stays the same after a rollback, as in Proxmox VE.
    `lxc.net.0.hwaddr = bc:24:11:00:00:${(id % 100).toString().padStart(2, '0')}`,
    `lxc.net.0.ipv4.address = ${address}/24`,
    'lxc.mount.auto = proc:rw sys:mixed cgroup:rw',
    'lxc.mount.entry = proc dev/.lxc/proc proc create=dir,optional 0 0',
    ...Object.entries(folders).map(
      ([inside, path]) => `lxc.mount.entry = ${path} ${inside.slice(1)} none rbind,ro 0 0`,
    ),
    'lxc.pty.max = 64',
    'lxc.tty.max = 0',
    `lxc.console.logfile = ${join(folder, String(id), 'console')}`,
    'lxc.environment = PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'lxc.environment = HOME=/root',
    `lxc.init.cmd = /usr/sbin/init.lxc --name=ct${id} -- ${template.command.join(' ')}`,
    '',
  ].join('\n');
}
