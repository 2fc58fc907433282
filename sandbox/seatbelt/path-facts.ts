// The paths of a profile in the form that the kernel uses.
import {kernelPath} from './kernel-path.ts';
import type {SbplInput} from './sbpl-input.ts';

export interface PathFacts {
  readonly workspaceRoot: string;
  readonly temporaryFolder: string;
  readonly readable: readonly string[];
  /** Readable, too. */
  readonly writable: readonly string[];
  /** With all that lies below them. */
  readonly hidden: readonly string[];
  /** Relative to the workspace. */
  readonly hiddenPatterns: readonly string[];
  /** Trusted paths that do not exist, or are symlinks. */
  readonly watched: readonly string[];
}

export function pathFacts({compiled, temporaryFolder}: SbplInput): PathFacts {
  const {profile, workspaceRoot, watched, hiddenRules} = compiled;
  return {
    workspaceRoot: kernelPath(workspaceRoot),
    temporaryFolder: kernelPath(temporaryFolder),
    readable: toKernelPaths(profile.readonly_bind_mounts.map(({target}) => target)),
    writable: toKernelPaths(profile.writable_bind_mounts.map(({target}) => target)),
    hidden: toKernelPaths([...hiddenRules.literals, ...profile.deny_overlays.map(({path}) => path)]),
    hiddenPatterns: hiddenRules.patterns,
    watched: toKernelPaths(watched.map(({path}) => path)),
  };
}

function toKernelPaths(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map(kernelPath))].toSorted();
}
