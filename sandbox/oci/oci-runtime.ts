// The OCI runtimes that start a container directly, without a daemon, and how they differ.
export type OciBackendName = 'runc' | 'crun' | 'gvisor';

export interface OciRuntime {
  readonly backend: OciBackendName;
  /** The name of its program. */
  readonly program: string;
  /** How to install it. */
  readonly install: string;
  /** gVisor implements system calls itself; the others leave them to the host's kernel, behind a filter. */
  readonly hasOwnKernel: boolean;
  /** What the runtime itself uses of a limit, in addition to the call. */
  readonly overhead: {readonly memoryBytes: number; readonly processes: number};
  /** How the runtime takes the filter of system calls. `names`: those that its libseccomp does not know stay allowed. */
  readonly filter: 'names' | 'program';
  /** How the wire reaches the container: as the descriptor that it is, or as the stdin of a shell inside. */
  readonly wire: 'descriptor' | 'stdin';
  /** Whether it copies the output itself. A copy can arrive after the result that the wire carries. */
  readonly copiesOutput: boolean;
  /** Whether it must not see the control groups of a machine that uses both versions. */
  readonly hidesControlGroups: boolean;
  /** Whether root needs a mount namespace of the user namespace that the network belongs to. */
  readonly needsOwnMounts: boolean;
  /** Options before its command. */
  globalArgs(start: OciStart): readonly string[];
  /** The command that runs the container in the foreground, without the name of the container. */
  runArgs(bundle: string, withWire: boolean): readonly string[];
}

export interface OciStart {
  /** Where it keeps the state of its containers. */
  readonly stateFolder: string;
  /** Whether its user has no rights over the machine's namespaces. */
  readonly isRootless: boolean;
  /** Whether the container uses the network that the runtime is started in; otherwise it has none. */
  readonly joinsNetwork: boolean;
}

const megabyte = 1024 ** 2;
const none = {memoryBytes: 0, processes: 0};

export const ociRuntimes: Readonly<Record<OciBackendName, OciRuntime>> = {
  runc: {
    backend: 'runc',
    program: 'runc',
    install: 'apt-get install runc',
    hasOwnKernel: false,
    // Its own threads, and those of the process that becomes the container.
    overhead: {memoryBytes: 16 * megabyte, processes: 24},
    filter: 'names',
    wire: 'descriptor',
    copiesOutput: true,
    hidesControlGroups: false,
    needsOwnMounts: true,
    globalArgs: ({stateFolder}) => ['--root', stateFolder],
    runArgs: (bundle) => ['run', '--preserve-fds', '3', '--bundle', bundle],
  },
  crun: {
    backend: 'crun',
    program: 'crun',
    install: 'apt-get install crun',
    hasOwnKernel: false,
    overhead: none,
    filter: 'program',
    wire: 'descriptor',
    copiesOutput: false,
    hidesControlGroups: true,
    needsOwnMounts: false,
    // The control group is ours: crun starts inside it.
    globalArgs: ({stateFolder}) => ['--root', stateFolder, '--cgroup-manager=disabled'],
    runArgs: (bundle, withWire) => ['run', ...(withWire ? ['--preserve-fds=1'] : []), '--bundle', bundle],
  },
  gvisor: {
    backend: 'gvisor',
    program: 'runsc',
    install: 'apt-get install runsc',
    hasOwnKernel: true,
    // The kernel of gVisor and the process that opens files for it.
    overhead: {memoryBytes: 96 * megabyte, processes: 128},
    filter: 'names',
    wire: 'stdin',
    copiesOutput: false,
    hidesControlGroups: false,
    needsOwnMounts: false,
    globalArgs: ({stateFolder, isRootless, joinsNetwork}) => [
      '--root',
      stateFolder,
      '--ignore-cgroups',
      '--oci-seccomp',
      // Its sockets are those of the namespace that the host's broker answers in.
      `--network=${joinsNetwork ? 'host' : 'none'}`,
      ...(isRootless ? ['--rootless'] : []),
    ],
    runArgs: (bundle) => ['run', '--bundle', bundle],
  },
};

export const containerBackends: readonly OciBackendName[] = Object.keys(ociRuntimes) as OciBackendName[];
