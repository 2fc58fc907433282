// Whether the paths that a call names lie within what it is granted. The handler meets this check when it touches
// them, so a call that policy allows can still be refused there.
import {compileMatcher, explainPath, normalizePath, parsePattern} from '@lumenflow/kernel';
import type {CompiledLane, CompiledWorkspace, PathRefusal, RegisteredTool} from '@lumenflow/kernel';
import type {GrantedScopes, PathAccess} from '@lumenflow/schemas';

export interface PathVerdict {
  readonly path: string;
  /** What the tool may do there. */
  readonly access: 'write' | 'read' | 'none';
  /** Why no more than that, of what the tool asks for at all. */
  readonly refusal?: PathRefusal;
}

export interface PathQuestion {
  readonly input: unknown;
  readonly lane: CompiledLane | undefined;
  readonly granted: GrantedScopes | undefined;
}

/** For the input's field `path` and the list `paths`, which name workspace paths by convention. */
export function pathVerdicts(
  workspace: CompiledWorkspace,
  tool: RegisteredTool,
  {input, lane, granted}: PathQuestion,
): readonly PathVerdict[] {
  if (granted === undefined || tool.scopes.paths.length === 0) return [];
  const layers = [workspace.scopes, ...(lane ? [lane.scopes] : []), tool.scopes];
  const wanted: PathAccess = tool.scopes.write.length > 0 ? 'write' : 'read';
  const refusalOf = (path: string, access: PathAccess): PathRefusal | undefined =>
    explainPath({layers, holes: workspace.holes}, path, access) ?? refusedByTask(granted, path, access);
  return pathsOf(input).map((path) => {
    const refusal = refusalOf(path, wanted);
    if (refusal === undefined) return {path, access: wanted};
    const readable = wanted === 'write' && refusalOf(path, 'read') === undefined;
    return {path, access: readable ? 'read' : 'none', refusal};
  });
}

function pathsOf(input: unknown): readonly string[] {
  const {path, paths} = (input ?? {}) as {path?: unknown; paths?: unknown};
  return [path, ...(Array.isArray(paths) ? (paths as unknown[]) : [])].filter((one) => typeof one === 'string');
}

/** The one layer that is left when the others allow a path that is not granted. */
function refusedByTask(granted: GrantedScopes, path: string, access: PathAccess): PathRefusal | undefined {
  const patterns = granted[access].flatMap((text) => {
    const parsed = parsePattern(text);
    return 'patterns' in parsed ? parsed.patterns : [];
  });
  const normalized = normalizePath(path);
  if (normalized !== undefined && compileMatcher(patterns)(normalized)) return undefined;
  const verb = access === 'read' ? 'reading' : 'writing';
  return {
    path,
    access,
    layer: 'task',
    message: `the task does not allow ${verb} \`${path}\``,
    help: 'make a task whose `declared_scopes` cover it',
  };
}
