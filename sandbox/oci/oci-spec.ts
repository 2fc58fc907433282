// From a profile to the configuration of an OCI container: pure, so that each part can be read in a test.
import type {SandboxProfile} from '@lumenflow/schemas';
import {boundLimits} from '../commands/rlimits.ts';
import {ociMounts, type OciMountsInput, type OciMount} from './oci-mounts.ts';
import type {OciSeccomp} from './oci-seccomp.ts';

export interface OciSpecInput extends OciMountsInput {
  readonly argv: readonly string[];
  /** The user that the container's root is outside; undefined: the runtime maps users itself. */
  readonly mappedUser: {readonly uid: number; readonly gid: number} | undefined;
  /** Whether it uses the network of the runtime instead of an empty one. */
  readonly joinsNetwork: boolean;
  readonly filter: OciSeccomp | {readonly program: Uint8Array};
  readonly kernelPaths: readonly string[];
  readonly maskedPaths: readonly string[];
}

interface OciProcess {
  readonly terminal: false;
  readonly user: {readonly uid: number; readonly gid: number};
  readonly args: readonly string[];
  readonly env: readonly string[];
  readonly cwd: string;
  readonly capabilities: Readonly<Record<string, readonly string[]>>;
  readonly rlimits: readonly {readonly type: string; readonly hard: number; readonly soft: number}[];
  readonly noNewPrivileges: true;
}

interface IdMapping {
  readonly containerID: number;
  readonly hostID: number;
  readonly size: 1;
}

export interface OciSpec {
  readonly ociVersion: string;
  readonly process: OciProcess;
  readonly root: {readonly path: string; readonly readonly: true};
  readonly hostname: string;
  readonly mounts: readonly OciMount[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly linux: {
    readonly namespaces: readonly {readonly type: string}[];
    readonly uidMappings?: readonly IdMapping[];
    readonly gidMappings?: readonly IdMapping[];
    readonly readonlyPaths: readonly string[];
    readonly maskedPaths: readonly string[];
    readonly seccomp?: OciSeccomp;
  };
}

/** Each runtime maps it to the user that it runs as. */
export const containerUser = {uid: 0, gid: 0} as const;
const noCapabilities = {bounding: [], effective: [], inheritable: [], permitted: [], ambient: []};

export function ociSpec(input: OciSpecInput): OciSpec {
  const {mappedUser, joinsNetwork, kernelPaths, maskedPaths} = input;
  const namespaces = [
    'pid',
    'ipc',
    'uts',
    'mount',
    'cgroup',
    ...(joinsNetwork ? [] : ['network']),
    ...(mappedUser === undefined ? [] : ['user']),
  ];
  const {seccomp, annotations} = filterOf(input);
  return {
    ociVersion: '1.0.2',
    process: processOf(input),
    root: {path: 'rootfs', readonly: true},
    hostname: 'sandbox',
    mounts: ociMounts(input),
    annotations,
    linux: {
      namespaces: namespaces.map((type) => ({type})),
      ...(mappedUser && {
        uidMappings: [{containerID: 0, hostID: mappedUser.uid, size: 1}],
        gidMappings: [{containerID: 0, hostID: mappedUser.gid, size: 1}],
      }),
      readonlyPaths: kernelPaths,
      maskedPaths,
      ...(seccomp && {seccomp}),
    },
  };
}

function processOf({argv, cwd, profile}: OciSpecInput): OciProcess {
  return {
    terminal: false,
    // The user of the host, as it is called in its own user namespace.
    user: containerUser,
    args: argv,
    env: Object.entries(profile.env).map(([name, value]) => `${name}=${value ?? ''}`),
    cwd,
    capabilities: noCapabilities,
    // A process that its limit kills leaves no core dump in a writable folder.
    rlimits: [{type: 'RLIMIT_CORE', hard: 0, soft: 0}, ...rlimitsOf(profile)],
    noNewPrivileges: true,
  };
}

function rlimitsOf({limits}: SandboxProfile): OciProcess['rlimits'] {
  return boundLimits(limits).flatMap(({name, bound}) =>
    bound === undefined ? [] : [{type: `RLIMIT_${name.toUpperCase()}`, hard: bound, soft: bound}],
  );
}

/** crun loads a program as it is: a name that its libseccomp does not know would stay allowed. */
function filterOf({filter, profile}: OciSpecInput): {
  readonly seccomp?: OciSeccomp;
  readonly annotations: Readonly<Record<string, string>>;
} {
  if (profile.syscalls === 'none') return {annotations: {}};
  if (!('program' in filter)) return {seccomp: filter, annotations: {}};
  return {annotations: {'run.oci.seccomp_bpf_data': Buffer.from(filter.program).toString('base64')}};
}
