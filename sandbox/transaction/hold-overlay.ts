// Mounts an overlay of the workspace in a mount namespace of its own, and keeps it for a call.
import {closeSync, openSync} from 'node:fs';
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
  /** Prefix of a command that starts it in the namespaces that the call shares; empty for ours. */
  readonly enter: readonly string[];
}

export interface HeldOverlay {
  readonly pid: number;
  /** Descriptors of ours, as paths: the workspace as the call sees it, and the upper layer. */
  readonly door: string;
  readonly upper: string;
  /** Resolves once nothing has a file of the view open for writing, and nothing can open one any more. */
  seal(): Promise<void>;
  close(): void;
}

/**
 * $1 options of a tmpfs or nothing, $2 the transaction's folder, $3 the workspace's permissions, $4 the workspace. Mount
 * options cannot contain every path, so directories are named by this shell's descriptors and working directory.
 * On request the overlay becomes read-only, which succeeds once no file in it is open for writing. The overlay is volatile:
 * what a call syncs in it is not its result yet, and applying syncs what it puts into the workspace.
 */
const script = `
set -e
if [ -n "$1" ]; then mount -n -t tmpfs -o "$1" tmpfs "$2"; fi
exec 9<"$2"
mkdir /proc/$$/fd/9/up /proc/$$/fd/9/work
chmod "$3" /proc/$$/fd/9/up
cd "$4"
mount -n -t overlay -o "lowerdir=.,upperdir=/proc/$$/fd/9/up,workdir=/proc/$$/fd/9/work,userxattr,volatile" overlay "$4"
exec 8<"$4"
cd /proc/$$/fd/9/up
echo ready
read -r _ || exit 0
until mount -n -c -o remount,ro overlay /proc/$$/fd/8 2>/dev/null; do sleep 0.01; done
echo sealed
read -r _
`;

const namespaces: readonly string[] = ['--user', '--map-current-user', '--keep-caps', '--mount'];
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
    return heldBy(holder, line, input.root);
  } catch (error) {
    holder.kill();
    return error instanceof Error ? error.message : String(error);
  }
}

async function spawnHolder(input: OverlayInput, {unshare, sh}: OverlayPrograms): Promise<SpawnedProcess> {
  const {root, folder, mode, memory, enter} = input;
  const options = [memory ?? '', folder, mode.toString(8), root];
  const [command = unshare, ...args] = [...enter, unshare, ...namespaces, '--', sh, '-c', script, 'sh', ...options];
  return await spawnProcess({
    command,
    args,
    cwd: '/',
    env: {PATH: '/usr/bin:/bin:/usr/sbin:/sbin'},
    stdio: ['pipe', 'pipe', 'pipe'],
  });
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

function heldBy(holder: SpawnedProcess, line: LineReader, root: string): HeldOverlay {
  const {pid} = holder;
  if (pid === undefined) throw new Error('the process that mounts the view did not start');
  const fds: number[] = [];
  const close = (): void => {
    for (const fd of fds.splice(0)) closeSync(fd);
    holder.pipes[0]?.end();
  };
  try {
    for (const name of [`root${root}`, 'cwd']) fds.push(openSync(`/proc/${pid}/${name}`, openPath));
  } catch (error) {
    close();
    throw error;
  }
  const [door, upper] = fds.map((fd) => `/proc/${process.pid}/fd/${fd}`);
  return {
    pid,
    door: String(door),
    upper: String(upper),
    async seal() {
      holder.pipes[0]?.write('seal\n');
      const failure = await line('sealed');
      if (failure !== undefined) throw new Error(`something of the call still writes (${failure})`);
    },
    close,
  };
}
