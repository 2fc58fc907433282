// Opens views before their calls arrive. An overlay copies nothing when it is mounted. It resolves names lazily, so an untouched
// view shows the workspace as it is when the call arrives. Directories that a sandbox's mounts pin are the exception: they are
// compared at the hand-over. All of this applies only to local file systems.
import {randomUUID} from 'node:crypto';
import {readFile, rename, statfs, writeFile} from 'node:fs/promises';
import {join, relative} from 'node:path';
import type {SandboxProfile} from '@lumenflow/schemas';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {SpareViews} from '../backends/transaction-view.ts';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {innerMounts} from './inner-mounts.ts';
import {openView} from './open-view.ts';
import {OpenedSpareView} from './opened-spare-view.ts';
import type {ViewStorage} from './workspace-view.ts';
import type {WriteLimits} from './write-limits.ts';

export interface SpareViewsInput {
  readonly root: string;
  readonly storage: ViewStorage;
  /** Creates a directory for an upper layer, on the workspace's own file system. */
  makeFolder(): Promise<string>;
  discard(folder: string): Promise<void>;
}

/** Of linux/magic.h: ext2 to ext4, tmpfs, overlay, xfs, btrfs, f2fs, zfs, bcachefs. */
const localFileSystems: ReadonlySet<number> = new Set([
  0xef53, 0x01021994, 0x794c7630, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
]);

const notAhead = failed<SandboxProblem>({
  message: 'a view of this workspace cannot be opened before its call',
  help: 'keep the workspace on a local file system that supports overlays, without mounts inside the workspace',
});

/** For each call, by what it may write. */
export function createSpareViews(input: SpareViewsInput): (limits: WriteLimits) => SpareViews {
  let isFresh: Promise<boolean> | undefined;
  return (limits) => ({
    key: JSON.stringify([limits.bytes, limits.files]),
    state: () => innerMounts(input.root).join('\n'),
    async open(profile, enter) {
      isFresh ??= showsWhatIsNew(input, limits);
      return (await isFresh) ? await openAhead(input, limits, {profile, enter}) : notAhead;
    },
  });
}

interface ViewStart {
  readonly profile: SandboxProfile;
  readonly enter: readonly string[];
}

async function openAhead(
  {root, storage, makeFolder, discard}: SpareViewsInput,
  limits: WriteLimits,
  start: ViewStart,
): Promise<Outcome<OpenedSpareView>> {
  if (innerMounts(root).length > 0) return notAhead;
  const folder = await makeFolder();
  const opened = await openView({root, folder, limits, ...storage, ...start});
  // A copy would show an earlier state of the workspace.
  if (opened.ok && opened.value.copied === undefined) {
    return ok(new OpenedSpareView(opened.value, () => discard(folder)));
  }
  if (opened.ok) opened.value.close();
  await discard(folder);
  return opened.ok ? notAhead : opened;
}

/** Tested once, in a separate view: a file that is replaced after the mount must appear as it is now. */
async function showsWhatIsNew(input: SpareViewsInput, limits: WriteLimits): Promise<boolean> {
  const {root, makeFolder, discard} = input;
  if (!localFileSystems.has((await statfs(root)).type)) return false;
  const folder = await makeFolder();
  const file = join(folder, 'replaced');
  await writeFile(file, 'old');
  const opened = await openAhead(input, limits, {profile: narrowestProfile(), enter: []});
  try {
    if (!opened.ok) return false;
    const text = randomUUID();
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
    return (await readFile(join(opened.value.view.door, relative(root, file)), 'utf8')) === text;
  } catch {
    // The view does not show what cannot be read through it.
    return false;
  } finally {
    if (opened.ok) await opened.value.close();
    await discard(folder);
  }
}
