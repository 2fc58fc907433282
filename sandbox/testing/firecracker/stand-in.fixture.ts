// A stand-in for Firecracker where there is none: it accepts what Firecracker's published API accepts, rejects the rest as it does,
// and runs the guest by software emulation. Its vsock device is a loopback driver and a bridge in the guest, behind a serial port.
import {spawn} from 'node:child_process';
import {chmodSync, existsSync, openSync, readFileSync, readSync, closeSync, writeFileSync} from 'node:fs';
import {createServer as createHttpServer, type IncomingMessage} from 'node:http';
import {connect, createServer, type Socket} from 'node:net';
import {text} from 'node:stream/consumers';
import {cpioArchive} from '../../vm/guest-system/cpio-archive.ts';
import {findKernel, kernelModules} from '../../vm/guest-system/find-kernel.ts';
import {clockKilohertz} from '../../vm/clock-kilohertz.ts';

type Fields = Readonly<Record<string, unknown>>;
/** Returns what is wrong with a value. */
type Check = (value: unknown) => string | undefined;

interface Resource {
  readonly required: Readonly<Record<string, Check>>;
  readonly optional: Readonly<Record<string, Check>>;
}

const anyOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value) ? undefined : `unknown variant \`${String(value)}\``;
const flag = anyOf(true, false);
const integer =
  (min: number, max: number): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max
      ? undefined
      : `invalid value: ${JSON.stringify(value)}`;
const words: Check = (value) => (typeof value === 'string' ? undefined : `invalid type: ${JSON.stringify(value)}`);
const file: Check = (value) =>
  typeof value === 'string' && existsSync(value) ? undefined : `Unable to open file ${JSON.stringify(value)}`;
const elf: Check = (value) => file(value) ?? (isElf(String(value)) ? undefined : 'Invalid Elf magic number');

const resources: Readonly<Record<string, Resource>> = {
  'machine-config': {
    required: {vcpu_count: integer(1, 32), mem_size_mib: integer(1, 2 ** 31)},
    optional: {smt: flag, track_dirty_pages: flag, huge_pages: anyOf('None', '2M')},
  },
  'boot-source': {required: {kernel_image_path: elf}, optional: {initrd_path: file, boot_args: words}},
  drives: {
    required: {drive_id: words, is_root_device: flag, path_on_host: file},
    optional: {is_read_only: flag, cache_type: anyOf('Unsafe', 'Writeback'), io_engine: anyOf('Sync', 'Async')},
  },
  vsock: {required: {guest_cid: integer(3, 2 ** 32 - 1), uds_path: words}, optional: {}},
  actions: {required: {action_type: anyOf('InstanceStart', 'SendCtrlAltDel', 'FlushMetrics')}, optional: {}},
};

const configured = new Map<string, Fields>();
let state: 'Not started' | 'Running' = 'Not started';

function faultOf(path: string, body: string): string | undefined {
  const [name = '', id, ...more] = path.slice(1).split('/');
  const resource = resources[name];
  if (resource === undefined || more.length > 0 || (id === undefined) !== (name !== 'drives')) {
    return `Invalid request method and/or path: PUT ${path}.`;
  }
  const fields = JSON.parse(body) as Fields;
  const problem = fieldFault(resource, fields);
  if (problem !== undefined) return problem;
  if (id !== undefined && fields['drive_id'] !== id) return 'The id from the path does not match the id from the body!';
  if (state === 'Running') return 'The requested operation is not supported after starting the microVM.';
  if (name === 'actions' && !configured.has('boot-source')) return 'Cannot start microvm without kernel configuration.';
  if (name === 'actions') start();
  else configured.set(name, fields);
  return undefined;
}

function fieldFault({required, optional}: Resource, fields: Fields): string | undefined {
  const known: Readonly<Record<string, Check>> = {...required, ...optional};
  const unknown = Object.keys(fields).find((field) => !Object.hasOwn(known, field));
  if (unknown !== undefined) return `unknown field \`${unknown}\``;
  const missing = Object.keys(required).find((field) => fields[field] === undefined);
  if (missing !== undefined) return `missing field \`${missing}\``;
  for (const [field, value] of Object.entries(fields)) {
    const problem = known[field]?.(value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isElf(path: string): boolean {
  const start = Buffer.alloc(4);
  const fd = openSync(path, 'r');
  readSync(fd, start);
  closeSync(fd);
  return start.toString('latin1') === '\x7fELF';
}

const portName = 'bridge';
const bridgeSocket = '/bridge.sock';

function start(): void {
  state = 'Running';
  const field = (resource: string, name: string): string => String(configured.get(resource)?.[name]);
  const bootArguments = field('boot-source', 'boot_args').replace('reboot=k', 'reboot=t');
  const agentPort = Number(/\blumenflow_vsock=(\d+)/.exec(bootArguments)?.[1]);
  writeFileSync('/initrd.own', Buffer.concat([readFileSync(field('boot-source', 'initrd_path')), ownFiles(agentPort)]));
  bridgeTo(`${field('vsock', 'uds_path')}_${agentPort}`);
  const clock = `no_timer_check tsc_early_khz=${clockKilohertz(readFileSync('/proc/cpuinfo', 'latin1'))}`;
  const options = [
    ['-M', 'microvm,x-option-roms=off,isa-serial=on,rtc=on,acpi=on'],
    ['-accel', 'tcg,thread=multi,tb-size=32', '-cpu', 'max'],
    ['-m', field('machine-config', 'mem_size_mib'), '-smp', field('machine-config', 'vcpu_count')],
    ['-kernel', field('boot-source', 'kernel_image_path'), '-initrd', '/initrd.own'],
    ['-append', `${bootArguments} mitigations=off rdinit=/stand-in ${clock}`],
    ['-nodefaults', '-no-user-config', '-nographic', '-no-reboot', '-serial', 'stdio'],
    ['-drive', `id=d,file=${field('drives', 'path_on_host')},format=raw,if=none,readonly=on`],
    ['-device', 'virtio-blk-device,drive=d', '-chardev', `socket,id=p,path=${bridgeSocket}`],
    ['-device', 'virtio-serial-device', '-device', `virtserialport,chardev=p,name=${portName}`],
  ];
  const machine = spawn('/usr/bin/qemu-system-x86_64', options.flat(), {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {},
  });
  machine.once('exit', (code) => process.exit(code ?? 1));
}

/** Firecracker connects to the host's socket when a guest connects, and not before: the bridge reports that with a byte. */
function bridgeTo(hostSocket: string): void {
  createServer((guest: Socket) => {
    guest.once('readable', () => {
      guest.read(1);
      const host = connect(hostSocket);
      guest.on('error', () => host.destroy()).pipe(host);
      host.on('error', () => guest.destroy()).pipe(guest);
    });
  }).listen(bridgeSocket);
}

/** Added to the archive of the guest: a vsock driver of another device, and a first program that starts the bridge. */
function ownFiles(agentPort: number): Uint8Array {
  const kernel = findKernel();
  if (kernel === undefined) throw new Error('the machine has no kernel for guests');
  const names = kernelModules(kernel).map(({name}) => name);
  const bridge = [
    'open(my $p, "+<&=", 4) or die; socket(my $l, 40, 1, 0) or die "socket $!";',
    `bind($l, pack("SSLLx4", 40, 0, ${agentPort}, 0xffffffff)) && listen($l, 1) or die "bind $!"; exit if fork;`,
    'accept(my $c, $l) or die; syswrite($p, "+");',
    'my ($from, $to) = fork ? ($p, $c) : ($c, $p);',
    'while (sysread($from, my $b, 65536)) { my $at = 0; $at += syswrite($to, $b, length($b) - $at, $at) while $at < length $b }',
    'shutdown($c, 2);',
  ].join(' ');
  const program = `#!/bin/busybox sh
b=/bin/busybox
$b mount -t devtmpfs devtmpfs /dev
$b mount -t sysfs sysfs /sys
for module in ${names.join(' ')}; do $b insmod /modules/$module; done
until [ -b /dev/vda ] && port=$($b grep -lx ${portName} /sys/class/virtio-ports/*/name 2>/dev/null); do $b usleep 5000; done
port=\${port%/name}
$b mkdir /bridge
$b mount -t ext4 -o ro /dev/vda /bridge
$b mount -t devtmpfs devtmpfs /bridge/dev
$b chroot /bridge /usr/bin/perl -e '${bridge}' 4<>/dev/\${port##*/}
$b umount -l /dev /sys
exec /init
`;
  const loopback = `${kernel.modulesFolder}/kernel/net/vmw_vsock/vsock_loopback.ko`;
  return cpioArchive([
    {path: 'stand-in', content: Buffer.from(program)},
    {path: 'modules/vmw_vsock_virtio_transport', content: readFileSync(loopback)},
  ]);
}

async function answer({method, url = ''}: IncomingMessage, body: string): Promise<readonly [number, object?]> {
  if (method === 'GET' && url === '/') {
    return [200, {app_name: 'Firecracker', id: argument('--id'), state, vmm_version: '1.13.1'}];
  }
  if (method !== 'PUT') return [400, {fault_message: `Invalid request method and/or path: ${method} ${url}.`}];
  const fault = faultOf(url, body);
  return fault === undefined ? [204] : [400, {fault_message: fault}];
}

function argument(name: string): string {
  const value = process.argv[process.argv.indexOf(name) + 1];
  if (!process.argv.includes(name) || value === undefined) throw new Error(`${name} is missing`);
  return value;
}

if (process.argv.includes('--version')) {
  process.stdout.write('Firecracker v1.13.1\n\nSupported snapshot data format versions: v7.0.0\n');
} else {
  const socketPath = argument('--api-sock');
  createHttpServer((request, response) => {
    const respond = async (): Promise<void> => {
      const [status, content] = await answer(request, await text(request));
      response.writeHead(status, {server: 'Firecracker API', 'content-type': 'application/json'});
      response.end(content === undefined ? undefined : JSON.stringify(content));
    };
    void respond();
  }).listen(socketPath, () => chmodSync(socketPath, 0o700));
}
