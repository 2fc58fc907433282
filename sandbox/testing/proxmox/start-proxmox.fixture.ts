// Starts the stand-in for Proxmox VE like a separate machine: a network with a bridge, to which this machine is connected, and
// processes that end with it.
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdtempSync, readdirSync, realpathSync, rmdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {build} from 'esbuild';
import {findProgram} from '../../commands/find-program.ts';
import type {LxcEngineOptions, LxcTemplate} from './lxc-engine.fixture.ts';

export interface ProxmoxMachine {
  /** Options of the backend, without the token. */
  readonly options: {
    readonly url: string;
    readonly certificate: string;
    readonly node: string;
    readonly pool: string;
    readonly template: number;
  };
  readonly token: string;
  /** Of this machine, as containers see it. */
  readonly ownAddress: string;
  end(): Promise<void>;
}

const programs = ['lxc-start', 'lxc-stop', 'lxc-cgroup', 'ip', 'unshare', 'newuidmap'];
const templateId = 9000;
const bridge = 'vmbr1';

/** Why there is no such machine here. The bounded form of CI omits it: its suites take minutes. */
export function proxmoxObstacle(): string | undefined {
  if (process.env['LUMENFLOW_BOUNDED'] !== undefined) return 'not in the bounded form of CI: it takes minutes';
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can start it';
  const missing = programs.find((name) => findProgram(name) === undefined);
  return missing === undefined ? undefined : `\`${missing}\` is missing: npm run engines -- proxmox-lxc`;
}

/** `parent`: where it keeps its containers. */
export async function startProxmox(template: LxcTemplate, parent: string = tmpdir()): Promise<ProxmoxMachine> {
  // Users of containers have no rights in the folders of root.
  const folder = realpathSync(mkdtempSync(join(parent, 'lumenflow-proxmox-')));
  execFileSync('chmod', ['755', folder]);
  const network = `10.213.${process.pid % 250}`;
  const link = `lfpve${process.pid}`;
  const controlGroup = `lumenflow-proxmox-${process.pid}`;
  const options: LxcEngineOptions = {folder, template: {id: templateId, ...template}, bridge, network, controlGroup};
  const program = join(folder, 'stand-in.cjs');
  await bundleStandIn(program);
  writeFileSync(join(folder, 'ids'), 'root:100000:65536\n');
  const script = join(folder, 'machine.sh');
  writeFileSync(script, machineScript({folder, network, program, options: JSON.stringify(options)}));
  const connected = `ip link add up0 type veth peer name ${link} netns ${process.pid}`;
  const apart = `exec unshare --mount --pid --fork --kill-child --mount-proc sh -e ${script}`;
  const child = spawn('unshare', ['--net', 'sh', '-ec', `${connected}; ${apart}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const answer = await Promise.race([once(child.stdout, 'data'), ended]);
  const line: unknown = answer[0];
  if (!Buffer.isBuffer(line)) throw new Error('the stand-in for Proxmox VE did not start');
  const {url, fingerprint, token} = JSON.parse(line.toString()) as Readonly<Record<string, string>>;
  const ownAddress = `${network}.254`;
  execFileSync('ip', ['address', 'add', `${ownAddress}/24`, 'dev', link]);
  execFileSync('ip', ['link', 'set', link, 'up']);
  return {
    options: {url: url ?? '', certificate: fingerprint ?? '', node: 'pve1', pool: 'lumenflow', template: templateId},
    token: token ?? '',
    ownAddress,
    async end() {
      child.stdin.end();
      await ended;
      removeGroups(controlGroup);
      rmSync(folder, {recursive: true});
    },
  };
}

async function bundleStandIn(outfile: string): Promise<void> {
  await build({
    entryPoints: [new URL('stand-in.fixture.ts', import.meta.url).pathname],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    conditions: ['@lumenflow/source'],
    logLevel: 'warning',
  });
}

interface MachineScript {
  readonly folder: string;
  readonly network: string;
  readonly program: string;
  readonly options: string;
}

/** LXC looks for bridges in /sys, which must be that of the network. */
function machineScript({folder, network, program, options}: MachineScript): string {
  return `mount --make-rprivate /
for each in /etc/subuid /etc/subgid; do mount --bind ${folder}/ids $each; done
mkdir ${folder}/groups
mount --rbind /sys/fs/cgroup ${folder}/groups
mount -t sysfs sysfs /sys
mount --rbind ${folder}/groups /sys/fs/cgroup
umount -l ${folder}/groups
ip link set lo up
ip link add ${bridge} type bridge
ip address add ${network}.1/24 dev ${bridge}
ip link set up0 master ${bridge}
ip link set up0 up
ip link set ${bridge} up
exec ${process.execPath} ${program} '${options.replaceAll("'", String.raw`'\''`)}'
`;
}

function removeGroups(name: string): void {
  const root = '/sys/fs/cgroup';
  for (const path of [root, ...readdirSync(root).map((each) => join(root, each))]) removeGroup(join(path, name));
}

function removeGroup(path: string): void {
  if (!existsSync(path)) return;
  for (const each of readdirSync(path, {withFileTypes: true}))
    if (each.isDirectory()) removeGroup(join(path, each.name));
  rmdirSync(path);
}
