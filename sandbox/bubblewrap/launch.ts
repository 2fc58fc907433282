// Starts a command inside bubblewrap. Options, filter and account files travel through descriptors that bwrap reads and closes,
// so its command line and environment reveal nothing inside.
import type {Duplex, Readable} from 'node:stream';
import type {SandboxProfile} from '@lumenflow/schemas';
import {announcedAt} from '../backends/transaction-view.ts';
import {limitCommand} from '../commands/rlimits.ts';
import type {Supervision} from '../commands/process-guard.ts';
import {spawnProcess, type ProcessEnd, type SpawnedProcess, type SpawnInput} from '../commands/spawn-process.ts';
import {createTreeMeter} from '../limits/create-tree-meter.ts';
import type {ControlGroup} from '../limits/control-groups.ts';
import type {Meter} from '../limits/meter.ts';
import {killInside} from '../linux/kill-inside.ts';
import {pathBytes} from '../profile/path-bytes.ts';
import {accountFiles} from '../linux/account-files.ts';
import {awaitView, type AwaitedView} from '../linux/await-view.ts';
import {bwrapArgs} from './bwrap-args.ts';
import type {HostSystem} from './host-system.ts';
import type {MountSources} from '../linux/open-mount-sources.ts';
import {removeMountPoints} from './remove-mount-points.ts';

export interface LaunchInput extends Supervision {
  readonly host: HostSystem;
  readonly filter: Uint8Array;
  readonly profile: SandboxProfile;
  /** The profile's mounts, kept open until this resolves. Without them, or if bwrap cannot use descriptors, it mounts paths. */
  readonly sources?: MountSources | undefined;
  /** Paths as they are inside. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Prefix of a command line that starts bwrap inside its network namespace, empty if that is ours; without it bwrap creates one. */
  readonly enterNetwork?: readonly string[] | undefined;
  /** Address of the name server in that namespace; default 127.0.0.1. */
  readonly nameserver?: string;
  /** Prefix of a command line that starts it where a transaction's view is mounted, in that network if there is one. */
  readonly enterView?: readonly string[] | undefined;
  /** Whether that prefix mounts the view itself, and waits at `announcedAt` once it has. */
  readonly mountsView?: boolean;
  /** Where the command's output goes: pipes, or one descriptor for both streams. */
  readonly output: 'pipe' | number;
  readonly stdin?: string | Uint8Array;
  /** A two-way pipe as descriptor 3 inside. */
  readonly withWire: boolean;
  readonly onPid?: ((pid: number) => void) | undefined;
}

export interface Launched extends Pick<SpawnedProcess, 'pid' | 'kill' | 'keepAlive'> {
  readonly wire: Duplex | undefined;
  readonly stdout: Readable | undefined;
  readonly stderr: Readable | undefined;
  /** Once nothing is left inside. */
  readonly ended: Promise<ProcessEnd>;
  /** Undefined if it did not start. */
  readonly meter: Meter | undefined;
  /** Where `mountsView`. */
  readonly view: AwaitedView | undefined;
  /** Limits that this launch could not set. */
  readonly unenforced: readonly string[];
}

/** A descriptor that bwrap reads to its end and closes. */
interface Feed {
  readonly fd: number;
  readonly content: string | Uint8Array;
}

export async function launchBubblewrap(input: LaunchInput): Promise<Launched> {
  const {host, profile, withWire, mountsView = false} = input;
  const {argv, unenforced} = limitCommand(input.argv, profile.limits, host.prlimitPath);
  const feeds = feedsOf(input);
  const stdio = stdioOf(input, feeds);
  const [command = host.bwrapPath, ...prefix] = bwrapCommand(
    host,
    input.enterView ?? input.enterNetwork ?? [],
    stdio.length,
  );
  const group = host.controlGroups?.open(profile.limits);
  const startedAt = Date.now();
  const started = await spawnProcess({
    command,
    args: [...prefix, '--args', String(feeds[0]?.fd), '--', ...argv],
    cwd: '/',
    // bwrap's first process inside shows the environment it was started with.
    env: {},
    stdio,
    killWith: killInside,
    timeoutMs: input.timeoutMs,
    signal: input.signal,
    killGraceMs: input.killGraceMs,
    askToEnd: input.askToEnd,
    onPid: input.onPid,
  });
  const {pid, kill, keepAlive, pipes} = started;
  const view = mountsView ? awaitView(pipes) : undefined;
  // bwrap waits for its options: until they arrive, it has not started anything that could be outside the group.
  await joinGroup(group, pid);
  if (input.stdin !== undefined) pipes[0]?.end(input.stdin);
  for (const {fd, content} of feeds) pipes[fd]?.end(content);
  return {
    pid,
    ...streamsOf(pipes, withWire),
    ended: endOf(started, group, () => removeMountPoints(profile, startedAt)),
    meter: meterOf(pid, group),
    view,
    unenforced: stillUnenforced(input, unenforced, group),
    kill,
    keepAlive,
  };
}

function streamsOf(pipes: SpawnedProcess['pipes'], withWire: boolean): Pick<Launched, 'wire' | 'stdout' | 'stderr'> {
  const [, stdout, stderr, wire] = pipes;
  return {wire: withWire ? (wire ?? undefined) : undefined, stdout: stdout ?? undefined, stderr: stderr ?? undefined};
}

async function endOf(
  {ended}: SpawnedProcess,
  group: ControlGroup | undefined,
  cleanUp: () => void,
): Promise<ProcessEnd> {
  const end = await ended;
  await group?.remove();
  cleanUp();
  return end;
}

function meterOf(pid: number | undefined, group: ControlGroup | undefined): Meter | undefined {
  if (pid === undefined) return undefined;
  return {...createTreeMeter(pid), ...(group && {ranOutOfMemory: group.ranOutOfMemory})};
}

async function joinGroup(group: ControlGroup | undefined, pid: number | undefined): Promise<void> {
  if (pid === undefined) return;
  try {
    await group?.add(pid);
  } catch {
    // ESRCH: it has ended already, as its result says.
  }
}

/** Returns the limits that neither the kernel nor a control group enforces: the number of processes does not bind root. */
function stillUnenforced(
  {host, profile}: LaunchInput,
  byRlimit: readonly string[],
  group: ControlGroup | undefined,
): readonly string[] {
  const boundless = host.uid === 0 && profile.limits.processes !== undefined ? ['processes'] : [];
  const unenforced = new Set([...byRlimit, ...boundless]);
  for (const limit of group?.enforces ?? []) unenforced.delete(limit);
  return [...unenforced];
}

/** What bwrap reads, the options first. The wire, when there is one, is descriptor 3; these follow. */
function feedsOf(input: LaunchInput): readonly Feed[] {
  const {host, profile, cwd, filter, withWire, enterNetwork} = input;
  const first = input.mountsView === true ? announcedAt + 1 : withWire ? 4 : 3;
  const hasResolver = profile.network_posture !== 'off';
  const fds = {
    passwd: first + 1,
    group: first + 2,
    hosts: first + 3,
    resolvConf: first + 4,
    nsswitch: first + 5,
    seccomp: first + (hasResolver ? 6 : 4),
  };
  const files = accountFiles(host.uid, host.gid, input.nameserver);
  const firstSource = profile.syscalls === 'none' ? fds.seccomp : fds.seccomp + 1;
  const sourceFds = new Map([...(input.sources?.fds.keys() ?? [])].map((path, index) => [path, firstSource + index]));
  const options = bwrapArgs({
    profile,
    host,
    cwd,
    fds,
    joinsNetwork: enterNetwork !== undefined,
    sourceFds: host.bindsFds ? sourceFds : undefined,
  })
    .map((option) => `${option}\0`)
    .join('');
  return [
    {fd: first, content: pathBytes(options)},
    {fd: fds.passwd, content: files.passwd},
    {fd: fds.group, content: files.group},
    {fd: fds.hosts, content: files.hosts},
    ...(hasResolver ? [{fd: fds.resolvConf, content: files.resolvConf}] : []),
    ...(hasResolver ? [{fd: fds.nsswitch, content: files.nsswitch}] : []),
    ...(profile.syscalls === 'none' ? [] : [{fd: fds.seccomp, content: filter}]),
  ];
}

/** By descriptor: the three of every program, the wire, the feeds, and the mount sources. */
function stdioOf(input: LaunchInput, feeds: readonly Feed[]): SpawnInput['stdio'] {
  const {host, stdin, output, withWire, mountsView = false, sources} = input;
  return [
    stdin === undefined ? 'ignore' : 'pipe',
    output,
    output,
    ...(withWire ? (['pipe'] as const) : mountsView ? (['ignore'] as const) : []),
    ...(mountsView ? (['pipe'] as const) : []),
    ...feeds.map(() => 'pipe' as const),
    ...(host.bindsFds ? (sources?.fds.values() ?? []) : []),
  ];
}

/** bwrap in its network, and without the descriptors that our parent left open. */
function bwrapCommand(
  {bwrapPath, bashPath, inheritedFds}: HostSystem,
  enterNetwork: readonly string[],
  given: number,
): readonly string[] {
  const command = [...enterNetwork, bwrapPath];
  // Those that we give take the place of inherited ones.
  const left = inheritedFds.filter((fd) => fd >= given);
  if (left.length === 0 || bashPath === undefined) return command;
  const closing = left.map((fd) => `${fd}>&-`).join(' ');
  return [bashPath, '-c', `exec ${closing}; exec "$@"`, 'bash', ...command];
}
