// No option of a backend weakens what its calls run in: the schema has no word for it.
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {validateWorkspace} from '@lumenflow/schemas/validators';
import {expect, test} from 'vitest';

interface Shape {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly enum?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly examples?: readonly unknown[];
}

const file = fileURLToPath(import.meta.resolve('@lumenflow/schemas/workspace.schema.json'));
const {$defs} = JSON.parse(readFileSync(file, 'utf8')) as {readonly $defs: Readonly<Record<string, Shape>>};
const resolved = (shape: Shape): Shape => $defs[shape.$ref?.replace('#/$defs/', '') ?? ''] ?? shape;
const options = Object.entries(resolved({$ref: '#/$defs/sandbox_backend_options'}).properties ?? {});
/** A valid value: its own example, or what it requires. */
function exampleOf(shape: Shape): unknown {
  const {type, enum: allowed = [], examples = allowed, items, properties = {}, required = []} = resolved(shape);
  if (examples.length > 0) return examples[0];
  if (type === 'array' && items !== undefined) return [exampleOf(items)];
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]));
}
const requiredBy: Readonly<Record<string, object>> = Object.fromEntries(
  options.map(([backend, shape]) => [backend, exampleOf(shape) as object]),
);
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
  unprivileged: 0,
  features: 'nesting=1,keyctl=1',
  nesting: 1,
  mp0: '/srv,mp=/srv',
  dev0: '/dev/kvm',
  lxc: [['lxc.apparmor.profile', 'unconfined']],
  hookscript: 'local:snippets/x.sh',
  net1: 'name=eth1,bridge=vmbr0',
  bridge: 'vmbr0',
  hostNetwork: true,
  hostPID: true,
  hostIPC: true,
  hostPath: '/',
  host_path: '/',
  securityContext: {privileged: true},
  serviceAccountName: 'admin',
  automountServiceAccountToken: true,
  pod_template: {spec: {hostNetwork: true}},
  tolerations: [{operator: 'Exists'}],
};

const specWith = (sandbox: unknown, security: object = {}): unknown => ({
  id: 'w',
  packs: [],
  lanes: [{id: 'a', allowed_scopes: []}],
  security: {allowed_scopes: [], ...security, sandbox},
});

test.each(backends)('%s has no such option', (backend) => {
  const required = requiredBy[backend] ?? {};
  const isEmpty = Object.keys(required).length === 0;
  expect(isEmpty || validateWorkspace(specWith({backends: {[backend]: required}}))).toBe(true);
  const accepted = Object.entries(misconfigurations).filter(([name, value]) =>
    validateWorkspace(specWith({backends: {[backend]: {...required, [name]: value}}})),
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
    const {type, ...one} = resolved(items ?? option);
    if (type === 'object') {
      expect([name, one.additionalProperties]).toEqual([name, false]);
      continue;
    }
    const isValid = (value: unknown): boolean => {
      const given = {...requiredBy[backend], [name]: items === undefined ? value : [value]};
      return validateWorkspace(specWith({backends: {[backend]: given}}));
    };
    expect(['string', 'integer']).toContain(type);
    expect([name, isValid(exampleOf(one))]).toEqual([name, true]);
    const bad = ['--privileged', '-v/:/host', 'relative/path', '', 'a --device=/dev/mem', 'tcp://192.0.2.1:2375'];
    // The context of a kubeconfig is looked up there by its name, which may contain slashes.
    const accepted = bad.filter(isValid).filter((text) => name !== 'context' || text !== 'relative/path');
    expect([name, accepted]).toEqual([name, []]);
  }
});
