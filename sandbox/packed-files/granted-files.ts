// The files of a call for a sandbox that cannot mount them: what is packed, from where, and what the call may change.
import {statSync} from 'node:fs';
import {join} from 'node:path';
import type {BindMount, SandboxProfile} from '@lumenflow/schemas';
import type {StartRequest} from '../backends/sandbox-backend.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import {isWithin} from '../profile/host-paths.ts';
import {isText, printablePath} from '../profile/path-bytes.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {MirroredFiles} from './file-mirror.ts';

export interface GrantedFiles {
  /** What is packed. */
  readonly packed: MirroredFiles;
  /** Absolute paths inside that the call may write to. */
  readonly writable: readonly string[];
  /** Hidden and read-only paths: it may not write there, except in a writable path inside a read-only one. */
  readonly sealed: readonly string[];
  /** Where changes go; undefined if there are none, or if they are lost: those of a trial. */
  readonly target: {readonly root: string; readonly door: string} | undefined;
  /** Of the request, in its view. */
  readonly profile: SandboxProfile;
}

const stateFolder = '.lumenflow';

/** `provides`: whether the sandbox has a path itself. */
export function grantedFiles(
  {profile: compiled, view}: Pick<StartRequest, 'profile' | 'view'>,
  provides: (path: string) => boolean,
): Outcome<GrantedFiles> {
  const {workspaceRoot: root} = compiled;
  const profile = view?.profile ?? compiled.profile;
  const {writable_bind_mounts, readonly_bind_mounts, deny_overlays} = profile;
  const writable = writable_bind_mounts.map(({target}) => target);
  const outside = writable.find((path) => !isWithin(path, root));
  if (outside !== undefined) {
    return failed({message: `\`${outside}\` is outside the workspace`, help: 'grant paths of the workspace alone'});
  }
  const hidden = [...deny_overlays.map(({path}) => path), join(root, stateFolder)];
  const unnamed = [root, ...writable, ...readonly_bind_mounts.map(({target}) => target), ...hidden].find(
    (path) => !isText(path),
  );
  if (unnamed !== undefined) return failed(notText(unnamed));
  const placed = ({source}: BindMount): string => placeOf(source, root, view?.door);
  const mounts = [...writable_bind_mounts, ...readonly_bind_mounts].filter(({target}) => !provides(target));
  return ok({
    packed: {
      mounts: new Map(mounts.map((mount) => [mount.target, placed(mount)])),
      excluded: new Set(hidden),
    },
    writable,
    sealed: [...hidden, ...readonly_bind_mounts.map(({target}) => target)],
    target: writable.length > 0 && view?.door !== undefined ? {root, door: view.door} : undefined,
    profile,
  });
}

function notText(path: string): SandboxProblem {
  return {
    message: `the name \`${printablePath(path)}\` is not UTF-8, and a sandbox that gets copies of files cannot receive it`,
    help: 'rename it, or use a backend that mounts files, such as `bubblewrap`',
  };
}

/** The state of the runtime is never part of a view. */
function placeOf(source: string, root: string, door: string | undefined): string {
  const isInView = door !== undefined && isWithin(source, root) && !isWithin(source, join(root, stateFolder));
  // A door is a descriptor, which looks like a symlink: what is behind it is meant.
  return isInView ? join(`${door}/`, source.slice(root.length)) : source;
}

/** What is made in place of hidden paths, where something is there to be hidden. */
export function hiddenKinds({deny_overlays, ...profile}: SandboxProfile): readonly {
  readonly path: string;
  readonly kind: 'file' | 'directory';
}[] {
  const mounts = [...profile.writable_bind_mounts, ...profile.readonly_bind_mounts];
  return deny_overlays.filter(({path}) =>
    mounts.some(
      ({target, source}) => isWithin(path, target) && statSync(source, {throwIfNoEntry: false})?.isDirectory(),
    ),
  );
}
