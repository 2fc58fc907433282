// Mounts an overlay of the workspace in a mount namespace of its own, and keeps it for a call.
import {chmodSync, closeSync, lstatSync, mkdirSync, openSync} from 'node:fs';
import {join} from 'node:path';
import {captureOutput} from '../commands/bounded-output.ts';
import {spawnProcess, type SpawnedProcess} from '../commands/spawn-process.ts';

export interface OverlayPrograms {
  readonly unshare: string;
  readonly nsenter: string;
  readonly sh: string;
  readonly mount: string;
}

export interface OverlayInput {
  /** Absolute, without symlinks. */
  readonly root: string;
  /** The transaction's own folder, below the root: it gets the upper layer. */
  readonly folder: string;
  /** Permissions of the workspace's root. */
  readonly mode: number;
  /** Options of a tmpfs to keep the upper layer in; without them it lies in the folder itself. */
  readonly memory?: string;
  /**
   * Whether it is mounted with the rights of the host, as root, and not in a user namespace: files of every owner can be
   * written then, as in a direct run, and directories that existed can be renamed.
   */
  readonly isPrivileged: boolean;
  /** Mount points inside the workspace, relative to it: the call sees them, read-only. */
  readonly inner: readonly string[];
  /** Prefix of a command that starts it in the namespaces that the call shares; empty for ours. */
  readonly enter: readonly string[];
}

export interface HeldOverlay {
  /** Prefix of a command that starts it where the overlay is mounted, in the namespaces that the call shares. */
  readonly enter: readonly string[];
  /** Descriptors of ours, as paths: the workspace as the call sees it, and the upper layer. */
  readonly door: string;
  readonly upper: string;
  /** Resolves once nothing has a file of the view open for writing, and nothing can open one any more. */
  seal(): Promise<void>;
  /** Whether our own process stays alive for it; it does at first. */
  keepAlive(on: boolean): void;
  close(): void;
}

/**
 * $1 options of a tmpfs or nothing, $2 the transaction's folder, $3 the workspace's permissions, $4 the workspace, $5 options
 * of the overlay, all others mount points inside the workspace. Mount options cannot contain every path, so directories are
 * named by this shell's descriptors and working directory. On request the overlay becomes read-only, which succeeds once no
 * file in it is open for writing. The overlay is volatile: what a call syncs in it is not its result yet, and applying syncs
 * what it puts into the workspace.
 */
const script = `
set -e
memory=$1 folder=$2 mode=$3 root=$4 options=$5
shift 5
if [ -n "$memory" ]; then mount -n -t tmpfs -o "$memory" tmpfs "$folder"; fi
exec 9<"$folder"
own=/proc/$$/fd/9
if [ -n "$memory" ]; then mkdir $own/up $own/work; chmod "$mode" $own/up; fi
if [ $# -gt 0 ]; then mkdir $own/below; mount -n -c --rbind "$root" $own/below; fi
cd "$root"
mount -n -t overlay -o "lowerdir=.,upperdir=$own/up,workdir=$own/work,volatile,$options" overlay "$root"
for inner do
  mount -n -c --rbind "$own/below/$inner" "$root/$inner"
  mount -n -c -o remount,bind,ro "$root/$inner"
done
exec 8<"$root"
cd $own/up
echo ready
read -r _ || exit 0
until mount -n -c -o remount,ro overlay /proc/$$/fd/8 2>/dev/null; do sleep 0.01; done
echo sealed
read -r _
`;

const userNamespace: readonly string[] = ['--user', '--map-current-user', '--keep-caps'];
const answerMs = 10_000;
/** O_PATH of asm-generic/fcntl.h. */
const openPath = 0o10000000;

/** A string is why it could not be mounted. */
export async function holdOverlay(input: OverlayInput, programs: OverlayPrograms): Promise<HeldOverlay | string> {
  const holder = await spawnHolder(input, programs);
  const line = lineReader(holder);
  const failure = await line('ready');
  if (failure !== undefined) return failure;
  try {
    if (input.memory === undefined && !input.isPrivileged) openWork(join(input.folder, 'work'));
    return heldBy({holder, line}, input, programs.nsenter);
  } catch (error) {
    holder.kill();
    return error instanceof Error ? error.message : String(error);
  }
}

async function spawnHolder(input: OverlayInput, {unshare, sh}: OverlayPrograms): Promise<SpawnedProcess> {
  const {root, folder, mode, memory, isPrivileged, inner} = input;
  if (memory === undefined) makeLayers(folder, mode);
  const namespaces = isPrivileged ? ['--mount'] : [...userNamespace, '--mount'];
  // Without a user namespace of its own it keeps its marks where no tool can set them, and can follow renamed directories.
  const options = isPrivileged ? 'redirect_dir=on' : 'userxattr';
  const parameters = [memory ?? '', folder, mode.toString(8), root, options, ...inner];
  const prefix = isPrivileged ? [] : input.enter;
  const [command = unshare, ...args] = [...prefix, unshare, ...namespaces, '--', sh, '-c', script, 'sh', ...parameters];
  return await spawnProcess({
    command,
    args,
    cwd: '/',
    env: {PATH: '/usr/bin:/bin:/usr/sbin:/sbin'},
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** On the workspace's own disk: a program of the shell for each takes longer. What a nested call starts from is there already. */
function makeLayers(folder: string, mode: number): void {
  mkdirSync(join(folder, 'work'));
  const upper = join(folder, 'up');
  if (lstatSync(upper, {throwIfNoEntry: false}) !== undefined) return;
  mkdirSync(upper);
  chmodSync(upper, mode);
}

/**
 * The kernel makes these without permissions. Where a host was killed they stay for a while, and its user could remove neither
 * them nor the workspace by ordinary programs.
 */
function openWork(work: string): void {
  for (const name of ['work', 'work/incompat', 'work/incompat/volatile']) {
    const path = join(work, name);
    if (lstatSync(path, {throwIfNoEntry: false})?.isDirectory() === true) chmodSync(path, 0o700);
  }
}

/** By the holder's entry in /proc: our own descriptors are not accessible from inside another namespace. */
function enterOverlay(pid: number, {enter, isPrivileged}: OverlayInput, nsenter: string): readonly string[] {
  const mount = `--mount=/proc/${pid}/ns/mnt`;
  // First the mounts, which nobody may enter who has given up the host's rights for a network of its own.
  if (isPrivileged) return [nsenter, mount, '--', ...enter];
  return [...enter, nsenter, '--preserve-credentials', `--user=/proc/${pid}/ns/user`, mount, '--'];
}

type LineReader = (expected: 'ready' | 'sealed') => Promise<string | undefined>;

/** Waits for the script's next line. Undefined when it is the expected one, otherwise why it is not. */
function lineReader(holder: SpawnedProcess): LineReader {
  const [, stdout, stderr] = holder.pipes;
  const errors = stderr ? captureOutput(stderr, 4000) : () => ({text: ''});
  return async (expected) => {
    const timer = setTimeout(() => holder.kill(), answerMs);
    const line = new Promise<true>((resolve) => stdout?.once('data', () => resolve(true)));
    const answer = await Promise.race([line, holder.ended]);
    clearTimeout(timer);
    if (answer === true) return undefined;
    return answer.startError ?? (errors().text.trim().split('\n')[0] || `not ${expected} within ${answerMs} ms`);
  };
}

interface Holder {
  readonly holder: SpawnedProcess;
  readonly line: LineReader;
}

function heldBy({holder, line}: Holder, input: OverlayInput, nsenter: string): HeldOverlay {
  const {pid} = holder;
  if (pid === undefined) throw new Error('the process that mounts the view did not start');
  const fds: number[] = [];
  const close = (): void => {
    for (const fd of fds.splice(0)) closeSync(fd);
    holder.pipes[0]?.end();
  };
  try {
    for (const name of [`root${input.root}`, 'cwd']) fds.push(openSync(`/proc/${pid}/${name}`, openPath));
  } catch (error) {
    close();
    throw error;
  }
  const [door, upper] = fds.map((fd) => `/proc/${process.pid}/fd/${fd}`);
  return {
    enter: enterOverlay(pid, input, nsenter),
    door: String(door),
    upper: String(upper),
    async seal() {
      holder.pipes[0]?.write('seal\n');
      const failure = await line('sealed');
      if (failure !== undefined) throw new Error(`something of the call still writes (${failure})`);
    },
    keepAlive: (on) => holder.keepAlive(on),
    close,
  };
}
