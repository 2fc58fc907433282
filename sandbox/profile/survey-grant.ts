// What a grant brings into a sandbox, and which parts of it programs outside obey or must stay hidden. A profile is compiled from
// this survey, and it is repeated after a call that wrote directly.
import {namesTrusted, trustedAround} from '@lumenflow/pack-sdk/trusted-paths';
import {findOverlays, type Overlays} from './find-overlays.ts';
import {grantedMounts, withoutCovered, type GrantedMount, type GrantedMounts} from './granted-mounts.ts';
import {hiddenPaths, type HiddenPaths} from './hidden-paths.ts';
import {isWithin} from './host-paths.ts';
import type {ProfileInput} from './profile-input.ts';
import type {UnreadablePath} from './unreadable-path.ts';
import type {Walk} from './walk.ts';

export interface Survey {
  readonly hiddenRules: HiddenPaths;
  /** Without what another one brings. */
  readonly mounts: readonly GrantedMount[];
  /** Everything that was granted, including what another mount covers. */
  readonly granted: readonly GrantedMount[];
  readonly skipped: GrantedMounts['skipped'];
  readonly overlays: Overlays;
  /** Directories that could not be listed. */
  readonly unlisted: readonly UnreadablePath[];
  /** There is more than was inspected. */
  readonly isCut: boolean;
}

/** Far beyond any project, so that a flood of files cannot block a workspace. */
const entriesMaxDefault = 2_000_000;

export async function surveyGrant(input: ProfileInput): Promise<Survey> {
  const walk: Walk = {files: input.files, entriesLeft: input.entriesMax ?? entriesMaxDefault, unlisted: []};
  const hiddenRules = hiddenPaths(input);
  // A path that a pattern does not find is not mounted, so unreadable directories cost nothing here.
  const found = await grantedMounts(input, {...walk, unlisted: []}, (path) => hiddenRules.covers(path));
  const granted = found.mounts.map((mount) => demoteTrusted(mount, input.workspaceRoot));
  const mounts = withoutCovered(granted);
  const overlays = await findOverlays({
    input,
    walk,
    hiddenPaths: hiddenRules,
    mounted: [...mounts.map((mount) => mount.path), ...input.runtimePaths],
    writable: mounts.filter((mount) => mount.access === 'write').map((mount) => mount.path),
    tops: topDirectories(mounts, input),
  });
  const isCut = walk.entriesLeft < 0;
  return {hiddenRules, mounts, granted, skipped: found.skipped, overlays, unlisted: walk.unlisted, isCut};
}

/** Why the survey cannot be used; undefined if it is complete. */
export function surveyProblem({unlisted, isCut}: Survey): string | undefined {
  if (unlisted[0] !== undefined) return unlisted[0].message;
  return isCut
    ? 'the granted directories contain too many entries to inspect: narrow the scopes of the tool or the task'
    : undefined;
}

/** A pattern that merely covers a trusted file does not name it: that one stays read-only. */
function demoteTrusted(mount: GrantedMount, workspaceRoot: string): GrantedMount {
  if (mount.access === 'read' || mount.path === workspaceRoot) return mount;
  const trusted = trustedAround(mount.path.slice(workspaceRoot.length + 1));
  return trusted === undefined || namesTrusted(mount.pattern, trusted) ? mount : {...mount, access: 'read'};
}

function topDirectories(mounts: readonly GrantedMount[], {files}: ProfileInput): readonly string[] {
  const paths = mounts.map((mount) => mount.path);
  return paths
    .filter((path) => !paths.some((other) => other !== path && isWithin(path, other)))
    .filter((path) => files.kindOf(path) === 'directory');
}
