// Whether the paths that a call names lie within its grant. The handler meets this check when it touches them, so a
// call that policy allows can still be refused there.
import type {PathAccess} from '@lumenflow/schemas';
import type {NamedPath} from '../paths/canonical-paths.ts';
import type {TouchedPath} from '../policy/index.ts';
import type {WorkspacePaths} from '../paths/workspace-paths.ts';
import type {Grant, PathRefusal} from '../scopes/index.ts';
import {touchedFiles} from '../paths/touched-paths.ts';

export interface PathVerdict {
  /** JSON pointer into the input. */
  readonly pointer: string;
  /** Canonical. */
  readonly path: string;
  /** Where its links lead, when that is another path of the workspace. */
  readonly leads_to?: string;
  /** What may be done there. */
  readonly access: PathAccess | 'none';
  /** Why no more than that, of what the call wants there. */
  readonly refusal?: PathRefusal;
}

export interface VerdictWorkspace {
  readonly paths: WorkspacePaths;
  /** Why a call with the grant could not write a path. */
  whyNotWrite(path: string): PathRefusal | undefined;
}

export async function pathVerdicts(
  paths: readonly NamedPath[],
  grant: Grant,
  workspace: VerdictWorkspace,
): Promise<readonly PathVerdict[]> {
  return await Promise.all(paths.map((named) => verdictOf(named, grant, workspace)));
}

async function verdictOf(named: NamedPath, grant: Grant, {paths, whyNotWrite}: VerdictWorkspace): Promise<PathVerdict> {
  const {pointer, path} = named;
  const wanted: PathAccess = named.access.includes('write') ? 'write' : 'read';
  const touched = await touchedFiles([named], grant, paths);
  const at = touched.find(({access}) => access === wanted);
  const leads_to = at?.leads_to;
  // A directory may be looked into as far as something in it is granted.
  const leadsIn = (access: PathAccess): boolean =>
    touched.some(
      (one) => one.access === access && one.leads_out !== true && one.below !== undefined && one.below().length > 0,
    );
  const whyNot = (one: string, access: PathAccess): PathRefusal | undefined =>
    access === 'write' ? whyNotWrite(one) : grant.whyNot(one, access);
  const refusalOf = (access: PathAccess): PathRefusal | undefined =>
    leadsIn(access) ? undefined : (whyNot(path, access) ?? whyNotBehind(at, access, grant));
  const place = {pointer, path, ...(leads_to !== undefined && {leads_to})};
  const refusal = refusalOf(wanted);
  if (refusal === undefined) return {...place, access: wanted};
  const readable = wanted === 'write' && refusalOf('read') === undefined;
  return {...place, access: readable ? 'read' : 'none', refusal};
}

/** The layers allow the path itself; where its links lead is another question. */
function whyNotBehind(touched: TouchedPath | undefined, access: PathAccess, grant: Grant): PathRefusal | undefined {
  if (touched?.leads_to !== undefined) return grant.whyNot(touched.leads_to, access);
  if (touched?.leads_out !== true) return undefined;
  const {path} = touched;
  const message = `\`${path}\` leads outside the workspace, over a symbolic link`;
  return {path, access, message, help: 'name the file itself, within the workspace'};
}
