// The paths that this workspace trusts in addition to the names that programs obey everywhere: paths listed in workspace.yaml,
// targets of trusted symlinks, paths in git's configuration, and the files of a repository without `.git`.
import {existsSync, lstatSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {governsRepository, trustedPaths} from '@lumenflow/pack-sdk/trusted-paths';
import {createHostFiles, followLink, pathsGitObeys, repositoryAt} from '@lumenflow/sandbox';
import {compilePattern} from '../compile-pattern.ts';

export interface ObeyedPaths {
  /** The trusted path that equals or contains a workspace-relative path. */
  around(path: string): string | undefined;
}

export interface ObeyedInput {
  /** Absolute, without symlinks. */
  readonly workspaceRoot: string;
  readonly home: string;
  /** Workspace-relative patterns. */
  readonly named: readonly string[];
  /** The files as the call sees them: a transaction's view, or the root. */
  door(): string;
  /** Found when the call's profile was compiled, relative to the workspace; undefined when there is no profile. */
  found(): readonly string[] | undefined;
}

export function obeyedPaths(input: ObeyedInput): ObeyedPaths {
  const named = input.named.map((pattern) => compilePattern(pattern.replace(/(\/\*\*)+$/, '')));
  let atRoot: readonly string[] | undefined;

  function isObeyed(path: string): boolean {
    if (named.some((test) => test(path))) return true;
    const found = input.found() ?? (atRoot ??= obeyedAtRoot(input));
    return found.includes(path);
  }

  return {
    around(path) {
      const names = path.split('/');
      for (let length = 1; length <= names.length; length += 1) {
        const one = names.slice(0, length).join('/');
        if (isObeyed(one) || governsBareRepository(one, input)) return one;
      }
      return undefined;
    },
  };
}

/** For a call without a profile: computed from the workspace's repository and the symlinks in its root. */
function obeyedAtRoot({workspaceRoot, home}: ObeyedInput): readonly string[] {
  const files = createHostFiles();
  const found: string[] = [];
  for (let above = workspaceRoot; above !== dirname(above); above = dirname(above)) {
    const repository = repositoryAt(above, files);
    if (repository !== undefined) found.push(...pathsGitObeys(repository, home, files));
  }
  for (const name of trustedPaths) {
    const followed = followLink(join(workspaceRoot, name), files);
    if (followed !== undefined && followed.links.length > 0) found.push(...followed.links.slice(1), followed.target);
  }
  return found
    .filter((path) => path.startsWith(`${workspaceRoot}/`))
    .map((path) => path.slice(workspaceRoot.length + 1));
}

const repositoryParts: readonly string[] = ['HEAD', 'objects', 'refs'];

/** Its hooks or configuration, or the file that turns a directory with a configuration into a repository. */
function governsBareRepository(path: string, {workspaceRoot, door}: ObeyedInput): boolean {
  const directory = dirname(path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isPart = repositoryParts.includes(name);
  // The names in `.git` are known.
  if ((!isPart && !governsRepository(name)) || /(^|\/)\.git(\/|$)/i.test(directory)) return false;
  if (!isRepository(join(door(), directory))) return false;
  if (!isPart) return true;
  const isNew = !isRepository(join(workspaceRoot, directory));
  return isNew && existsSync(join(door(), directory, 'config'));
}

function isRepository(directory: string): boolean {
  return repositoryParts.every((name) => lstatSync(join(directory, name), {throwIfNoEntry: false}) !== undefined);
}
