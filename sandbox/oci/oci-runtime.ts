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
  /** What the runtime itself uses of the memory, in addition to the call. */
  readonly overheadBytes: number;
  /** How many tasks the host may have for so many processes of the call. */
  tasks(processes: number): number;
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

export const ociRuntimes: Readonly<Record<OciBackendName, OciRuntime>> = {
  runc: {
    backend: 'runc',
    program: 'runc',
    install: 'apt-get install runc',
    hasOwnKernel: false,
    overheadBytes: 16 * megabyte,
    // Its own threads, and those of the process that becomes the container.
    tasks: (processes) => processes + 24,
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
    overheadBytes: 0,
    tasks: (processes) => processes,
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
    overheadBytes: 96 * megabyte,
    // It crashes when the host refuses it a thread, and has several for each one inside. It refuses those of the call itself.
    tasks: (processes) => 3 * processes + 512,
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
