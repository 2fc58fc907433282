// Lays an overlay over the workspace in a mount namespace of its own: the call's writes go to memory of bounded size,
// while the files beneath stay as they are. No right is needed but that to user namespaces.
import {closeSync, openSync, statSync} from 'node:fs';
import {statfs} from 'node:fs/promises';
import type {SandboxProblem} from '../backends/sandbox-problem.ts';
import {captureOutput} from '../commands/bounded-output.ts';
import {findProgram} from '../commands/find-program.ts';
import {spawnProcess, type SpawnedProcess} from '../commands/spawn-process.ts';
import type {ViewInput, WorkspaceView} from './workspace-view.ts';

/**
 * $1 bytes, $2 files, $3 the folder to mount the memory on, $4 the workspace's permissions, $5 the workspace. Paths with a
 * comma or a colon cannot stand in mount options, so directories are named by where this shell stands and what it has open.
 * Once asked to, it makes the memory read-only, which succeeds when nobody has a file in it open for writing any more.
 */
const script = `
set -e
mount -t tmpfs -o "size=$1,nr_inodes=$2,mode=700" tmpfs "$3"
exec 9<"$3"
mkdir /proc/$$/fd/9/up /proc/$$/fd/9/work
chmod "$4" /proc/$$/fd/9/up
cd "$5"
mount -t overlay -o "lowerdir=.,upperdir=/proc/$$/fd/9/up,workdir=/proc/$$/fd/9/work,userxattr" overlay "$5"
cd /proc/$$/fd/9/up
echo ready
read -r _ || exit 0
until mount -c -o remount,ro tmpfs /proc/$$/fd/9 2>/dev/null; do sleep 0.01; done
echo sealed
read -r _
`;

const namespaces: readonly string[] = ['--user', '--map-current-user', '--keep-caps', '--mount'];
const answerMs = 10_000;
/** O_PATH of asm-generic/fcntl.h. */
const openPath = 0o10000000;
/** Entries of the memory that are not the call's: its root, the overlay's own directories. */
const ownFiles = 8;

export async function openOverlay(input: ViewInput): Promise<WorkspaceView | SandboxProblem> {
  const [unshare, nsenter, sh, mount] = ['unshare', 'nsenter', 'sh', 'mount'].map(findProgram);
  if (unshare === undefined || nsenter === undefined || sh === undefined || mount === undefined) {
    return {
      message: 'transactional writes need `unshare`, `nsenter` and `mount`',
      help: 'install them with `apt-get install util-linux mount`',
    };
  }
  const {root, folder, limits} = input;
  const mode = (statSync(root).mode & 0o777).toString(8);
  const options = [String(limits.bytes), String(limits.files + ownFiles), folder, mode, root];
  const [command = unshare, ...args] = [
    ...input.enter,
    unshare,
    ...namespaces,
    '--',
    sh,
    '-c',
    script,
    'sh',
    ...options,
  ];
  const holder = await spawnProcess({
    command,
    args,
    cwd: '/',
    env: {PATH: '/usr/bin:/bin:/usr/sbin:/sbin'},
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const line = lineReader(holder);
  const said = await line('ready');
  if (said !== undefined) return setUpFailed(said);
  try {
    return viewThrough({holder, nsenter, line}, input);
  } catch (error) {
    holder.kill();
    return setUpFailed(error instanceof Error ? error.message : String(error));
  }
}

type LineReader = (expected: 'ready' | 'sealed') => Promise<string | undefined>;

/** Waits for what the script says next. Undefined when it says what is expected, otherwise why it does not. */
function lineReader(holder: SpawnedProcess): LineReader {
  const [, stdout, stderr] = holder.pipes;
  const said = stderr ? captureOutput(stderr, 4000) : () => ({text: ''});
  return async (expected) => {
    const timer = setTimeout(() => holder.kill(), answerMs);
    const heard = new Promise<true>((resolve) => stdout?.once('data', () => resolve(true)));
    const answer = await Promise.race([heard, holder.ended]);
    clearTimeout(timer);
    if (answer === true) return undefined;
    return answer.startError ?? (said().text.trim().split('\n')[0] || `not ${expected} within ${answerMs} ms`);
  };
}

interface Held {
  readonly holder: SpawnedProcess;
  readonly nsenter: string;
  readonly line: LineReader;
}

function viewThrough({holder, nsenter, line}: Held, {root, enter, profile}: ViewInput): WorkspaceView {
  const {pid} = holder;
  const fds: number[] = [];
  const close = (): void => {
    for (const fd of fds.splice(0)) closeSync(fd);
    holder.pipes[0]?.end();
  };
  try {
    for (const place of [`root${root}`, 'cwd']) fds.push(openSync(`/proc/${pid}/${place}`, openPath));
  } catch (error) {
    close();
    throw error;
  }
  const [door, touched] = fds.map((fd) => `/proc/${process.pid}/fd/${fd}`);
  return {
    door: String(door),
    touched: String(touched),
    // By the holder's own place in /proc: from inside another namespace that is open to us, and what we hold is not.
    enter: [
      ...enter,
      nsenter,
      '--preserve-credentials',
      `--user=/proc/${pid}/ns/user`,
      `--mount=/proc/${pid}/ns/mnt`,
      '--',
    ],
    profile,
    degraded: [],
    async seal() {
      holder.pipes[0]?.write('seal\n');
      const failure = await line('sealed');
      if (failure !== undefined) throw new Error(`something of the call still writes (${failure})`);
    },
    async isFull() {
      const {bavail, ffree} = await statfs(String(touched));
      return bavail === 0 || ffree === 0;
    },
    close,
  };
}

function setUpFailed(said: string): SandboxProblem {
  return {
    message: `the view that holds writes back could not be set up${said === '' ? '' : ` (\`${said}\`)`}`,
    help: 'use Linux 5.11 or later with overlayfs in user namespaces, or let the tool and the lane write directly',
  };
}
