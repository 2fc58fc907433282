// No option of a backend weakens what its calls run in: the schema has no word for it.
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {validateWorkspace} from '@lumenflow/schemas/validators';
import {expect, test} from 'vitest';

interface Shape {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly enum?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly examples?: readonly unknown[];
}

const file = fileURLToPath(import.meta.resolve('@lumenflow/schemas/workspace.schema.json'));
const {$defs} = JSON.parse(readFileSync(file, 'utf8')) as {readonly $defs: Readonly<Record<string, Shape>>};
const resolved = (shape: Shape): Shape => $defs[shape.$ref?.replace('#/$defs/', '') ?? ''] ?? shape;
const options = Object.entries(resolved({$ref: '#/$defs/sandbox_backend_options'}).properties ?? {});
const backends = $defs['sandbox_backend_name']?.enum ?? [];

/** As the engines, the runtimes, QEMU and their command lines name it. */
const misconfigurations: Readonly<Record<string, unknown>> = {
  privileged: true,
  Privileged: true,
  unconfined: true,
  cap_add: ['SYS_ADMIN'],
  CapAdd: ['ALL'],
  capabilities: ['CAP_SYS_ADMIN'],
  device: '/dev/kvm',
  devices: ['/dev/mem'],
  '--device': '/dev/mem',
  Devices: [{PathOnHost: '/dev/mem', PathInContainer: '/dev/mem', CgroupPermissions: 'rwm'}],
  DeviceRequests: [{Count: -1, Capabilities: [['gpu']]}],
  binds: ['/:/host'],
  Binds: ['/run/docker.sock:/run/docker.sock'],
  mounts: [{type: 'bind', source: '/', target: '/host'}],
  volumes: ['/var/run/docker.sock:/var/run/docker.sock'],
  volumes_from: ['other'],
  root: '/',
  rootfs: '/',
  read_only: false,
  ReadonlyRootfs: false,
  pid: 'host',
  PidMode: 'host',
  network: 'host',
  network_mode: 'host',
  NetworkMode: 'bridge',
  ports: ['80:80'],
  ipc: 'host',
  uts: 'host',
  userns: 'host',
  UsernsMode: 'host',
  cgroupns: 'host',
  cgroup_parent: '/',
  security_opt: ['seccomp=unconfined'],
  seccomp: 'unconfined',
  apparmor: 'unconfined',
  no_new_privileges: false,
  sysctls: {'kernel.core_pattern': '|/x'},
  user: 'root',
  group_add: ['docker'],
  runtime: 'unsafe',
  args: ['--privileged'],
  extra_args: ['-netdev', 'user,id=n'],
  command: ['/bin/sh'],
  entrypoint: '/bin/sh',
  env: {LD_PRELOAD: '/x.so'},
  netdev: 'user',
  drive: 'file=/dev/sda',
  kernel: '/boot/other',
  initrd: '/boot/other',
};

const specWith = (sandbox: unknown, security: object = {}): unknown => ({
  id: 'w',
  packs: [],
  lanes: [{id: 'a', allowed_scopes: []}],
  security: {allowed_scopes: [], ...security, sandbox},
});

test.each(backends)('%s has no such option', (backend) => {
  const accepted = Object.entries(misconfigurations).filter(([name, value]) =>
    validateWorkspace(specWith({backends: {[backend]: {[name]: value}}})),
  );
  expect(accepted).toEqual([]);
});

test('the workspace has none beside its backends', () => {
  expect(validateWorkspace(specWith({profile: 'standard'}))).toBe(true);
  const accepted = Object.entries(misconfigurations).filter(
    ([name, value]) =>
      validateWorkspace(specWith({[name]: value})) || validateWorkspace(specWith({profile: 'dev'}, {[name]: value})),
  );
  expect(accepted).toEqual([]);
});

test.each(options)('the options of %s are closed, and their texts admit no further argument', (backend, shape) => {
  expect(backends).toContain(backend);
  const {properties = {}, additionalProperties} = resolved(shape);
  expect(additionalProperties).toBe(false);
  for (const [name, property] of Object.entries(properties)) {
    const {items, ...option} = resolved(property);
    const {type, enum: allowed = [], examples = allowed} = items ?? option;
    const isValid = (text: unknown): boolean =>
      validateWorkspace(specWith({backends: {[backend]: {[name]: items === undefined ? text : [text]}}}));
    expect([name, type, isValid(examples[0])]).toEqual([name, 'string', true]);
    const bad = ['--privileged', '-v/:/host', 'relative/path', '', 'a --device=/dev/mem', 'tcp://192.0.2.1:2375'];
    expect([name, bad.filter(isValid)]).toEqual([name, []]);
  }
});
