// The inspection after a call that wrote directly: a mount protects what exists, not what is created. Files that the call planted
// for programs outside the sandbox are moved away, and trusted symlinks are restored. Directories that the call locked are opened
// again, or moved away whole.
import {symlinkSync} from 'node:fs';
import {dirname} from 'node:path';
import type {ProfileInput, WatchedPath} from '../profile/profile-input.ts';
import {pathBytes} from '../profile/path-bytes.ts';
import {surveyGrant} from '../profile/survey-grant.ts';
import {inForcedDirectory} from './open-by-force.ts';
import {forcingFiles} from './forcing-files.ts';
import {removeLeftMountPoint} from './remove-left-mount-point.ts';
import {quarantinePaths, type Quarantined} from './quarantine-paths.ts';

export interface LookInput {
  /** The input from which the call's profile was compiled. */
  readonly profile: ProfileInput;
  /** Absolute paths that existed before the call. */
  readonly guarded: readonly string[];
  readonly watched: readonly WatchedPath[];
  /** Whether a scope names this very path, relative to the workspace: then the call may create it. */
  mayWrite(path: string): boolean;
  /** Relative to the workspace: where to keep quarantined files. */
  readonly keptIn: string;
}

/** All paths relative to the workspace. */
export interface LookFindings {
  readonly planted: readonly Quarantined[];
  /** Trusted symlinks that the call had replaced. */
  readonly restored: readonly Quarantined[];
  /** Directories that could not be unlocked. */
  readonly unlistable: readonly Quarantined[];
  /** Directories that their owner could no longer list. */
  readonly reopened: readonly string[];
  /** There is more than was inspected. */
  readonly isCut: boolean;
}

export async function lookAfterCall(input: LookInput): Promise<LookFindings> {
  const {profile, watched, mayWrite, keptIn} = input;
  const root = profile.workspaceRoot;
  const relative = (path: string): string => path.slice(root.length + 1);
  const place = {root, keptIn};
  const forcing = forcingFiles(profile.files, root);
  const restored = restoreLinks(watched, input, forcing.files.linkText);
  const {overlays, unlisted, isCut} = await surveyGrant({...profile, files: forcing.files});
  const known = new Set([...input.guarded, ...watched.filter(({link}) => link !== undefined).map(({path}) => path)]);
  const planted = overlays.guarded
    // The runtime's own state is guarded too, and no call can write to it.
    .filter((path) => !known.has(path) && path !== `${root}/.lumenflow`)
    .map(relative)
    .filter((path) => !mayWrite(path) && !removeLeftMountPoint(root, path));
  return {
    planted: quarantinePaths(planted, place),
    restored,
    unlistable: quarantinePaths(
      unlisted.map(({path}) => relative(path)),
      place,
    ),
    reopened: forcing.reopened().map(relative),
    isCut,
  };
}

function restoreLinks(
  watched: readonly WatchedPath[],
  {profile, mayWrite, keptIn}: LookInput,
  linkText: (path: string) => string | undefined,
): readonly Quarantined[] {
  const root = profile.workspaceRoot;
  return watched.flatMap(({path, link}) => {
    const relative = path.slice(root.length + 1);
    if (link === undefined || linkText(path) === link || mayWrite(relative)) return [];
    const [moved = {path: relative}] = quarantinePaths([relative], {root, keptIn});
    return [moved.problem === undefined ? {...moved, ...putBack(root, relative, link)} : moved];
  });
}

/** A missing link has no target, so a missing directory is left as it is. */
function putBack(root: string, path: string, link: string): {readonly problem?: string} {
  const parent = dirname(path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    inForcedDirectory(root, parent === '.' ? [] : parent.split('/'), (to) => symlinkSync(pathBytes(link), to.at(name)));
    return {};
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? {} : {problem: String(error)};
  }
}
