// The paths that a call declares, for rules, with the targets of links as the file broker will follow them. The broker checks again when
// the handler uses a path, so replacing a link in between gains nothing.
import type {PathAccess} from '@lumenflow/schemas';
import type {TouchedPath} from '../policy/index.ts';
import {intersectPatterns, pathPattern, segmentsOf, type Grant, type PathPattern} from '../scopes/index.ts';
import type {NamedPath} from './canonical-paths.ts';
import type {PathLook, WorkspacePaths} from './workspace-paths.ts';

/** From the text alone: any path that may be a directory counts as one. */
export function touchedPaths(paths: readonly NamedPath[], grant?: Grant): readonly TouchedPath[] {
  return paths.flatMap((named) => touchedBy(named, {leads_to: named.path, is_directory: true}, grant));
}

export async function touchedFiles(
  paths: readonly NamedPath[],
  grant: Grant,
  workspace: WorkspacePaths,
): Promise<readonly TouchedPath[]> {
  const looks = await Promise.all(paths.map(async (named) => ({named, look: await workspace.look(named.path)})));
  return looks.flatMap(({named, look}) => touchedBy(named, look, grant));
}

function touchedBy({path, access, recursive}: NamedPath, look: PathLook, grant: Grant | undefined): TouchedPath[] {
  const {leads_to: target, is_directory: isDirectory} = look;
  return access.map((kind) => ({
    path,
    access: kind,
    ...(target === undefined ? {leads_out: true} : target !== path && {leads_to: target}),
    ...(recursive && isDirectory && {below: once(() => grantedBelow([path, target ?? path], kind, grant))}),
  }));
}

/** What is granted in the directories; where that is not known, or not within bounds, all that is in them. */
function grantedBelow(
  directories: readonly string[],
  access: PathAccess,
  grant: Grant | undefined,
): readonly PathPattern[] {
  const all = [...new Set(directories)].map((directory) => pathPattern([...segmentsOf(directory), '**']));
  const granted = grant === undefined ? all : intersectPatterns(grant[access], all);
  if (granted === 'too_complex') return all;
  return granted.filter((pattern) => grant?.holes.holeAround(pattern) === undefined);
}

function once<T>(compute: () => T): () => T {
  let computed: {readonly value: T} | undefined;
  return () => (computed ??= {value: compute()}).value;
}
