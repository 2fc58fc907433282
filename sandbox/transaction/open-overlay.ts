// The view of a call as an overlay. The workspace's files form the lower layer, and writes go to an upper layer on the
// workspace's disk. If that file system does not support an upper layer, it is in memory, with a size limit.
import {statSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {failed, ok, type Failed, type Outcome} from '../outcome.ts';
import {SandboxError} from '../sandbox-error.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {findProgram} from '../commands/find-program.ts';
import {removeTree} from '../files/remove-tree.ts';
import {startOverlay, type MountedOverlay} from './start-overlay.ts';
import type {OverlayPrograms} from './overlay-command.ts';
import {watchWrites, type WriteWatch} from './watch-writes.ts';
import {innerMountsText, type OverlayWay, type ViewInput, type WorkspaceView} from './workspace-view.ts';
import type {WriteLimits} from './write-limits.ts';

/** Entries in memory that do not belong to the call: its root, the overlay's own directories. */
const ownFiles = 8;
/** Of a call that declares more than this, the rest does not fit into memory. */
const memoryMax: WriteLimits = {bytes: 1024 ** 3, files: 200_000};

/** `inner`: mount points inside the workspace, relative to it. */
export async function openOverlay(input: ViewInput, inner: readonly string[]): Promise<Outcome<WorkspaceView>> {
  const programs = overlayPrograms();
  if (!programs.ok) return programs;
  const overlay = await mountOverlay(input, inner, programs.value);
  return overlay.ok ? ok(viewOf(overlay.value, input, inner)) : setUpFailed(overlay.problem);
}

export function overlayPrograms(): Outcome<OverlayPrograms> {
  const [unshare, nsenter, sh, mount, setpriv] = ['unshare', 'nsenter', 'sh', 'mount', 'setpriv'].map(findProgram);
  if (unshare === undefined || nsenter === undefined || sh === undefined || mount === undefined) {
    return failed({
      message: 'transactional writes require `unshare`, `nsenter` and `mount`',
      help: 'install them with `apt-get install util-linux mount`',
    });
  }
  return ok({unshare, nsenter, sh, mount, setpriv});
}

/** The first call of a workspace tries the best way first; later calls use the way that worked. */
async function mountOverlay(
  input: ViewInput,
  inner: readonly string[],
  programs: OverlayPrograms,
): Promise<Outcome<MountedOverlay, string>> {
  const {root, folder, enter, upper} = input;
  const common = {root, folder, enter, inner, mode: statSync(root).mode & 0o777};
  const ways = upper.way === undefined ? waysToTry() : [upper.way];
  let why = '';
  let whyInMemory: string | undefined;
  for (const way of ways) {
    const memory = way.inMemory ? {memory: memoryOptions(input.limits)} : {};
    const overlay = await startOverlay({...common, ...memory, isPrivileged: way.isPrivileged}, programs);
    if (overlay.ok) {
      upper.way = way;
      if (way.inMemory) upper.whyInMemory ??= whyInMemory ?? why;
      return overlay;
    }
    why = overlay.problem;
    if (!way.inMemory) whyInMemory = why;
    await removeTree(folder);
    await mkdir(folder, {recursive: true, mode: 0o700});
  }
  return failed(why);
}

/** Root in a container may lack the right to mount, and has user namespaces like everybody else. */
function waysToTry(): readonly OverlayWay[] {
  const rights = process.geteuid?.() === 0 ? [true, false] : [false];
  return [false, true].flatMap((inMemory) => rights.map((isPrivileged) => ({isPrivileged, inMemory})));
}

function memoryOptions(limits: WriteLimits): string {
  const {bytes, files} = inMemory(limits);
  return `size=${bytes},nr_inodes=${files + ownFiles},mode=700`;
}

function inMemory({bytes, files}: WriteLimits): WriteLimits {
  return {bytes: Math.min(bytes, memoryMax.bytes), files: Math.min(files, memoryMax.files)};
}

export function viewOf(overlay: MountedOverlay, input: ViewInput, inner: readonly string[]): WorkspaceView {
  const {root, profile, limits, budget, upper} = input;
  const {door, enter, upper: touched} = overlay;
  const isOwnFileSystem = upper.way?.inMemory === true;
  const bounds = isOwnFileSystem ? inMemory(limits) : limits;
  let watch: WriteWatch | undefined;
  return {
    door,
    touched,
    upperOnDisk: isOwnFileSystem ? undefined : `${input.folder}/up`,
    inner,
    followsRenames: upper.way?.isPrivileged === true,
    enter,
    profile,
    degraded: [
      ...(isOwnFileSystem ? [`writes: kept in memory until they are applied (${upper.whyInMemory ?? ''})`] : []),
      ...innerMountsText(inner),
    ],
    async begin(onLimit) {
      const watched = {root: input.base ?? root, touched, budget, isOwnFileSystem, onLimit, limits: bounds};
      try {
        watch = await watchWrites(watched);
      } catch (error) {
        overlay.close();
        throw error;
      }
    },
    keepAlive: (on) => overlay.keepAlive(on),
    seal: overlay.seal,
    metLimit: () => begun(watch).finish(),
    close() {
      watch?.stop();
      overlay.close();
    },
  };
}

function begun(watch: WriteWatch | undefined): WriteWatch {
  if (watch === undefined) throw new SandboxError('BROKEN_INVARIANT', 'the view was inspected before its call began');
  return watch;
}

export function setUpFailed(why: string): Failed<SandboxProblem> {
  return failed({
    message: `the private view of the workspace could not be mounted${why === '' ? '' : ` (\`${why}\`)`}`,
    help: 'use Linux 5.11 or later with overlayfs in user namespaces, or allow direct writes for the tool',
  });
}
