// Mounts an overlay of the workspace in its own mount namespace, and keeps it for a call.
import {closeSync, openSync} from 'node:fs';
import {captureOutput} from '../commands/capture-output.ts';
import {spawnProcess, type SpawnedProcess} from '../commands/spawn-process.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import {SandboxError} from '../sandbox-error.ts';
import {openPath} from '../files/open-path.ts';
import {overlayCommand, type OverlayMount, type OverlayPrograms} from './overlay-command.ts';
import {makeLayers, openWork} from './overlay-layers.ts';

export interface OverlayInput extends OverlayMount {
  /** Permissions of the workspace's root. */
  readonly mode: number;
  /** Options of a tmpfs to keep the upper layer in; without them it lies in the transaction's folder itself. */
  readonly memory?: string;
  /** Mount points inside the workspace, relative to it: the call sees them, read-only. */
  readonly inner: readonly string[];
}

export interface MountedOverlay {
  /** Prefix of a command that starts it where the overlay is mounted, in the namespaces that the call shares. */
  readonly enter: readonly string[];
  /** Descriptors of ours, as paths: the workspace as the call sees it, and the upper layer. */
  readonly door: string;
  readonly upper: string;
  /** Resolves once nothing has a file of the view open for writing, and nothing can open one any more. */
  seal(): Promise<void>;
  /** Whether this process stays alive for it; true at first. */
  keepAlive(on: boolean): void;
  close(): void;
}

/** Parameters: options of a tmpfs or nothing, the workspace's permissions, mount points inside the workspace. */
const prelude = `
memory=$1 mode=$2
shift 2
cd "$root"
if [ -n "$memory" ]; then
  "$mount" -n -t tmpfs -o "$memory" tmpfs "$own"
  mkdir "$own/up" "$own/work"
  chmod "$mode" "$own/up"
fi
if [ $# -gt 0 ]; then mkdir "$own/below"; "$mount" -n -c --rbind . "$own/below"; fi
`;

/** On request the overlay becomes read-only, which succeeds once no file in it is open for writing. */
const script = `
for inner do
  "$mount" -n -c --rbind "$own/below/$inner" "$root/$inner"
  "$mount" -n -c -o remount,bind,ro "$root/$inner"
done
exec 8<"$root"
cd -P "$own/up"
echo ready
read -r _ || exit 0
until "$mount" -n -c -o remount,ro overlay /proc/$$/fd/8 2>/dev/null; do sleep 0.01; done
echo sealed
read -r _
`;

const answerMs = 10_000;

export async function startOverlay(
  input: OverlayInput,
  programs: OverlayPrograms,
): Promise<Outcome<MountedOverlay, string>> {
  const holder = await spawnHolder(input, programs);
  const line = lineReader(holder);
  const ready = await line('ready');
  if (!ready.ok) return ready;
  try {
    if (input.memory === undefined && !input.isPrivileged) openWork(input.folder);
    return ok(mountedBy({holder, line}, input, programs.nsenter));
  } catch (error) {
    holder.kill();
    return failed(error instanceof Error ? error.message : String(error));
  }
}

async function spawnHolder(input: OverlayInput, programs: OverlayPrograms): Promise<SpawnedProcess> {
  const {folder, mode, memory, inner} = input;
  if (memory === undefined) makeLayers(folder, mode);
  const parameters = [memory ?? '', mode.toString(8), ...inner];
  const [command = programs.unshare, ...args] = overlayCommand(input, programs, {prelude, script, parameters});
  return await spawnProcess({
    command,
    args,
    cwd: '/',
    env: {PATH: '/usr/bin:/bin:/usr/sbin:/sbin'},
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** `mounts`: a path of its mount namespace. */
function enterOverlay(
  pid: number,
  mounts: string,
  {enter, isPrivileged}: OverlayInput,
  nsenter: string,
): readonly string[] {
  // Enter the mount namespace first: a process that has dropped the host's privileges for its own network can no longer enter it.
  if (isPrivileged) return [nsenter, `--mount=${mounts}`, '--', ...enter];
  // By the holder's entries in /proc: our own descriptors are not accessible from inside another namespace. If the holder has ended
  // and its number is another process's, the system does not let an ordinary user in.
  const holder = [`--user=/proc/${pid}/ns/user`, `--mount=/proc/${pid}/ns/mnt`];
  return [...enter, nsenter, '--preserve-credentials', ...holder, '--'];
}

type LineReader = (expected: 'ready' | 'sealed') => Promise<Outcome<undefined, string>>;

/** Waits for the script's next line. */
function lineReader(holder: SpawnedProcess): LineReader {
  const [, stdout, stderr] = holder.pipes;
  const errors = stderr ? captureOutput(stderr, 4000) : () => ({text: ''});
  return async (expected) => {
    const timer = setTimeout(() => holder.kill(), answerMs);
    const line = new Promise<true>((resolve) => stdout?.once('data', () => resolve(true)));
    const answer = await Promise.race([line, holder.ended]);
    clearTimeout(timer);
    if (answer === true) return ok(undefined);
    return failed(
      answer.startError ?? (errors().text.trim().split('\n')[0] || `not ${expected} within ${answerMs} ms`),
    );
  };
}

interface Holder {
  readonly holder: SpawnedProcess;
  readonly line: LineReader;
}

function mountedBy({holder, line}: Holder, input: OverlayInput, nsenter: string): MountedOverlay {
  const {pid} = holder;
  if (pid === undefined) throw new SandboxError('SYSTEM_REFUSED', 'the process that mounts the view did not start');
  const fds: number[] = [];
  const close = (): void => {
    for (const fd of fds.splice(0)) closeSync(fd);
    holder.pipes[0]?.end();
  };
  try {
    for (const name of [`root${input.root}`, 'cwd']) fds.push(openPath(`/proc/${pid}/${name}`));
    if (input.isPrivileged) fds.push(openSync(`/proc/${pid}/ns/mnt`, 'r'));
  } catch (error) {
    close();
    throw error;
  }
  const [door = '', upper = '', mounts = ''] = fds.map((fd) => `/proc/${process.pid}/fd/${fd}`);
  return {
    enter: enterOverlay(pid, mounts, input, nsenter),
    door,
    upper,
    async seal() {
      holder.pipes[0]?.write('seal\n');
      const sealed = await line('sealed');
      if (!sealed.ok)
        throw new SandboxError('SYSTEM_REFUSED', `a process of the call is still writing (${sealed.problem})`);
    },
    keepAlive: (on) => holder.keepAlive(on),
    close,
  };
}
