// Why a path is outside a grant: the first layer that leaves it out, or the hole it lies in, and where that is written.
import type {PathAccess} from '@lumenflow/schemas';
import type {Holes} from './holes.ts';
import {compileMatcher} from './path-matcher.ts';
import {normalizePath} from './normalize-path.ts';
import {pathProblem} from './path-problem.ts';
import {reservedHelp, scopeLists} from './scope-denial.ts';
import type {ScopeLayer, ScopeLayerName} from './scope-layer.ts';

export interface PathRefusal {
  readonly path: string;
  readonly access: PathAccess;
  /** Undefined for a reserved path and for a path that no scope could name. */
  readonly layer?: ScopeLayerName;
  /** `file:line:column` of the layer's scopes, or of the deny overlay. */
  readonly where?: string;
  readonly message: string;
  readonly help: string;
}

/** Undefined when every layer allows the path. */
export function explainPath(
  {layers, holes}: {readonly layers: readonly ScopeLayer[]; readonly holes: Holes},
  path: string,
  access: PathAccess,
): PathRefusal | undefined {
  const normalized = normalizePath(path);
  if (normalized === undefined) {
    const message = `\`${path}\` is not a path in the workspace: it ${pathProblem(path) ?? 'cannot be read'}`;
    return {path, access, message, help: 'name a path relative to the workspace root, without `..` leading out of it'};
  }
  const hole = holes.holeOver(normalized);
  if (hole) {
    const {pattern, where} = hole;
    if (where === undefined) {
      const reserved = normalized === pattern.text ? 'is reserved' : `is inside the reserved path \`${pattern.text}\``;
      return {path, access, message: `\`${path}\` ${reserved}`, help: reservedHelp};
    }
    const message = `\`${path}\` is inside the deny overlay \`${pattern.text}\``;
    return {
      path,
      access,
      layer: 'workspace',
      where,
      message,
      help: 'remove it from `security.deny_overlays` to open it',
    };
  }
  const closed = layers.find((layer) => !compileMatcher(layer[access])(normalized));
  return closed && refusedBy(closed, path, access);
}

function refusedBy({name, where}: ScopeLayer, path: string, access: PathAccess): PathRefusal {
  const verb = access === 'read' ? 'reading' : 'writing';
  return {
    path,
    access,
    layer: name,
    where,
    message: `the ${name} does not allow ${verb} \`${path}\``,
    help: `add a ${access} scope that covers it to ${scopeLists[name]}`,
  };
}
