// The view of a call as an overlay: the workspace's files lie below, and what the call writes goes to an upper layer on
// the workspace's own disk. Where the file system cannot carry an upper layer, it lies in memory of bounded size.
import {statSync} from 'node:fs';
import {mkdir, rm} from 'node:fs/promises';
import type {SandboxProblem} from '../backends/sandbox-problem.ts';
import {findProgram} from '../commands/find-program.ts';
import {holdOverlay, type HeldOverlay, type OverlayInput, type OverlayPrograms} from './hold-overlay.ts';
import {watchWrites} from './watch-writes.ts';
import type {ViewInput, WorkspaceView} from './workspace-view.ts';
import type {WriteLimits} from './write-limits.ts';

/** Entries of the memory that are not the call's: its root, the overlay's own directories. */
const ownFiles = 8;
/** Of a call that declares more than this, the rest does not fit into memory. */
const memoryMax: WriteLimits = {bytes: 1024 ** 3, files: 200_000};

export async function openOverlay(input: ViewInput): Promise<WorkspaceView | SandboxProblem> {
  const [unshare, nsenter, sh, mount] = ['unshare', 'nsenter', 'sh', 'mount'].map(findProgram);
  if (unshare === undefined || nsenter === undefined || sh === undefined || mount === undefined) {
    return {
      message: 'transactional writes need `unshare`, `nsenter` and `mount`',
      help: 'install them with `apt-get install util-linux mount`',
    };
  }
  const overlay = await mountOverlay(input, {unshare, nsenter, sh, mount});
  return typeof overlay === 'string' ? setUpFailed(overlay) : await viewOf(overlay, input, nsenter);
}

/** The first call of a workspace tries the disk; all others know the outcome. */
async function mountOverlay(input: ViewInput, programs: OverlayPrograms): Promise<HeldOverlay | string> {
  const {root, folder, enter, upper} = input;
  const overlay: OverlayInput = {root, folder, enter, mode: statSync(root).mode & 0o777};
  if (upper.inMemory === undefined) {
    const onDisk = await holdOverlay(overlay, programs);
    if (typeof onDisk !== 'string') return onDisk;
    await rm(`${folder}/up`, {recursive: true, force: true});
    await rm(`${folder}/work`, {recursive: true, force: true});
    await mkdir(folder, {recursive: true, mode: 0o700});
    const inMemory = await holdOverlay({...overlay, memory: memoryOptions(input.limits)}, programs);
    if (typeof inMemory !== 'string') upper.inMemory = onDisk;
    return inMemory;
  }
  return await holdOverlay({...overlay, memory: memoryOptions(input.limits)}, programs);
}

function memoryOptions(limits: WriteLimits): string {
  const {bytes, files} = inMemory(limits);
  return `size=${bytes},nr_inodes=${files + ownFiles},mode=700`;
}

function inMemory({bytes, files}: WriteLimits): WriteLimits {
  return {bytes: Math.min(bytes, memoryMax.bytes), files: Math.min(files, memoryMax.files)};
}

async function viewOf(overlay: HeldOverlay, input: ViewInput, nsenter: string): Promise<WorkspaceView> {
  const {root, enter, profile, limits, budget} = input;
  const {pid, door, upper: touched} = overlay;
  const reason = input.upper.inMemory;
  const isOwnFileSystem = reason !== undefined;
  const watch = await watchWrites({
    root,
    touched,
    budget,
    isOwnFileSystem,
    onLimit: () => input.onLimit(),
    limits: isOwnFileSystem ? inMemory(limits) : limits,
  }).catch((error: unknown) => {
    overlay.close();
    throw error;
  });
  return {
    door,
    touched,
    ...(isOwnFileSystem ? {} : {upperOnDisk: `${input.folder}/up`}),
    // By the holder's entry in /proc: our own descriptors are not accessible from inside another namespace.
    enter: [
      ...enter,
      nsenter,
      '--preserve-credentials',
      `--user=/proc/${pid}/ns/user`,
      `--mount=/proc/${pid}/ns/mnt`,
      '--',
    ],
    profile,
    degraded: isOwnFileSystem ? [`writes: kept in memory until they are applied (${reason})`] : [],
    seal: overlay.seal,
    metLimit: () => watch.finish(),
    close() {
      watch.stop();
      overlay.close();
    },
  };
}

function setUpFailed(why: string): SandboxProblem {
  return {
    message: `the private view of the workspace could not be mounted${why === '' ? '' : ` (\`${why}\`)`}`,
    help: 'use Linux 5.11 or later with overlayfs in user namespaces, or allow the tool to write directly',
  };
}
