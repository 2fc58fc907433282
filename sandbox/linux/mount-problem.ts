// The last check of what is mounted, for backends that name paths. Each must have a name in UTF-8, and be as it was when the profile
// was compiled.
import type {ViewEntry} from '../backends/transaction-view.ts';
import type {HostFiles} from '../profile/host-files.ts';
import {isText, printablePath} from '../profile/path-bytes.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {openMountSources} from './open-mount-sources.ts';
import {overlayProblem} from './overlay-problem.ts';

export function mountProblem(
  profile: CompiledProfile,
  view: ViewEntry | undefined,
  files: HostFiles,
): SandboxProblem | undefined {
  const unnamed = mountedPaths(profile).find((path) => !isText(path));
  if (unnamed !== undefined) return notText(unnamed);
  const changed = view?.isChecked === true ? undefined : changedMount(profile, files);
  return changed === undefined
    ? undefined
    : {message: `a mount changed before the start: ${changed}`, help: 'retry the call', retryable: true};
}

function mountedPaths({profile, workspaceRoot}: CompiledProfile): readonly string[] {
  const mounts = [...profile.writable_bind_mounts, ...profile.readonly_bind_mounts];
  return [
    workspaceRoot,
    ...mounts.flatMap(({source, target}) => [source, target]),
    ...profile.deny_overlays.map(({path}) => path),
  ];
}

function notText(path: string): SandboxProblem {
  return {
    message: `the name \`${printablePath(path)}\` is not UTF-8, and the configuration of a container cannot contain it`,
    help: 'rename it, or use the backend `bubblewrap`',
  };
}

/** What has changed since the profile was compiled; undefined if all is as it was. */
function changedMount({profile}: CompiledProfile, files: HostFiles): string | undefined {
  const changed = overlayProblem(profile, files);
  if (changed !== undefined) return changed;
  const opened = openMountSources(profile);
  if (!opened.ok) return opened.problem;
  opened.value.close();
  return undefined;
}
