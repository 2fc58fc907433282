// The command line that starts a container: in the namespaces that the call shares, with its wire, once its control group is set.
import {pauseWhenKilled} from '../linux/pause-when-killed.ts';
import type {OciRuntime, OciStart} from './oci-runtime.ts';

export interface ContainerCommandInput {
  readonly runtime: OciRuntime;
  readonly programPath: string;
  readonly start: OciStart;
  readonly bundle: {readonly folder: string; readonly id: string};
  readonly withWire: boolean;
  /** The descriptor at which a line arrives when the runtime may start. */
  readonly goFd: number;
  /** Prefix of a command that starts it in the namespaces that the call shares. */
  readonly enter: readonly string[];
  /** What it is started in beyond those. */
  readonly surroundings: Surroundings;
}

export interface Surroundings {
  /** crun rejects machines that use both versions of control groups, even where its options disable them. */
  readonly hidesControlGroups: boolean;
  /** An ordinary user makes a mount namespace in a user namespace, in which the user is root. */
  readonly mounts: 'shared' | 'own' | 'own_as_user';
}

/** Of the streams themselves, in addition to those that the runtime would copy. */
const outputFds = {stdout: 4, stderr: 5} as const;
/**
 * The first process inside is a shell. The kernel ignores signals to a first process without a handler, and that process must
 * reap orphans. The shell's own messages about signals are dropped, and its variables are not passed on.
 */
const init = 'unset PWD OLDPWD';
const ownOutput = 'exec 4>&2 2>/dev/null';
const givenOutput = `exec >&${outputFds.stdout} ${outputFds.stdout}>&${outputFds.stderr} ${outputFds.stderr}>&- 2>/dev/null`;
const run = '"$@" 2>&4 4>&-';
/** gVisor passes on no descriptor but the first three: the wire takes the place of stdin on its way in. */
const wireFromStdin = ' 3<&0 0</dev/null';
const stdinFromWire = 'exec "$@" 0<&3 3<&-';
const giveOutput = ` ${outputFds.stdout}>&1 ${outputFds.stderr}>&2`;
const hideControlGroups = 'mount -t tmpfs -o ro,size=4k none /sys/fs/cgroup';

export function containerCommand(input: ContainerCommandInput): readonly [command: string, ...args: string[]] {
  const {runtime, programPath, start, bundle, withWire, goFd, enter, surroundings} = input;
  const run = [programPath, ...runtime.globalArgs(start), ...runtime.runArgs(bundle.folder, withWire), bundle.id];
  const waiting = [`read -r _ <&${goFd}`, `exec ${goFd}<&-`];
  const last =
    withWire && runtime.wire === 'stdin' ? stdinFromWire : `exec "$@"${runtime.copiesOutput ? giveOutput : ''}`;
  const [command = '', ...args] = [...enter, ...surroundedCommand(surroundings, [...waiting], last), ...run];
  return [command, ...args];
}

/** Prefix of a command: a shell, in the surroundings, that runs the lines first. */
export function surroundedCommand(
  {mounts, hidesControlGroups}: Surroundings,
  lines: readonly string[] = [],
  last: string = 'exec "$@"',
): readonly string[] {
  const namespaces = mounts === 'own_as_user' ? ['--user', '--map-root-user'] : [];
  const script = [...lines, ...(hidesControlGroups ? [hideControlGroups] : []), last].join('\n');
  return [...(mounts === 'shared' ? [] : ['unshare', ...namespaces, '--mount', '--']), '/bin/sh', '-c', script, 'sh'];
}

/** The command line inside. With a wire, its descriptor 3 is the wire. */
export function commandInside(
  {wire, copiesOutput}: Pick<OciRuntime, 'wire' | 'copiesOutput'>,
  argv: readonly string[],
  withWire: boolean,
): readonly string[] {
  const wired = !withWire ? ' 3<&-' : wire === 'stdin' ? wireFromStdin : '';
  const script = [init, copiesOutput ? givenOutput : ownOutput, `${run}${wired}`, ...pauseWhenKilled];
  return ['/bin/sh', '-c', script.join('\n'), 'sh', ...argv];
}
