// The trusted paths of a workspace, in addition to those of every workspace: the sources of its own packs, which the host runs or reads
// rules from, the files of rules that it includes, and those in workspace.yaml.
import type {WorkspaceSpec} from '@lumenflow/schemas';
import {literalPattern} from '../scopes/literal-pattern.ts';

/** Workspace-relative patterns. A pack that is the workspace itself is left out: everything would be trusted. */
export function trustedPathsOf({
  packs,
  security,
  policies,
}: Pick<WorkspaceSpec, 'packs' | 'security' | 'policies'>): readonly string[] {
  const folders = packs.flatMap(({source, path}) => (source === 'local' && path !== undefined ? [within(path)] : []));
  const included = policies?.include?.map(literalPattern) ?? [];
  return [...folders.filter((folder) => folder !== undefined), ...included, ...(security.trusted_paths ?? [])];
}

/** Undefined for what lies outside, or is the workspace. */
function within(path: string): string | undefined {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return path.startsWith('/') || names.length === 0 ? undefined : literalPattern(names.join('/'));
}
