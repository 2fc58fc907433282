// Makes the paths of an input canonical once, before any check. Rules, evidence, the grant and the handler then see the same
// text for every notation.
import type {PathAccess} from '@lumenflow/schemas';
import {failed, type Failed, type Success} from '../outcome.ts';
import {normalizePath, pathProblem} from '../scopes/index.ts';
import type {PathKind, PathNode} from './path-inputs.ts';

/** A path that an input names. */
export interface NamedPath {
  /** JSON pointer into the input; of a default, to what is absent. */
  readonly pointer: string;
  /** Canonical. */
  readonly path: string;
  readonly access: readonly PathAccess[];
  /** It includes everything below it. */
  readonly recursive: boolean;
}

export interface CanonicalInput extends Success<unknown> {
  readonly paths: readonly NamedPath[];
  /** Whether the value differs from what was given. */
  readonly isChanged: boolean;
}

export interface PathProblem {
  readonly pointer: string;
  readonly message: string;
}

/** Changes `input` in place where it is an object: it must be the caller's own copy. */
export function canonicalPaths(root: PathNode, input: unknown): CanonicalInput | Failed<readonly PathProblem[]> {
  const walk: Walk = {paths: [], problems: [], isChanged: false};
  const value = canonicalAt(root, input, '', walk);
  const {paths, problems, isChanged} = walk;
  return problems.length > 0 ? failed(problems) : {ok: true, value, paths, isChanged};
}

interface Walk {
  readonly paths: NamedPath[];
  readonly problems: PathProblem[];
  isChanged: boolean;
}

/** What does not have the form that the schema asks for is left for validation to refuse. */
function canonicalAt(node: PathNode, value: unknown, pointer: string, walk: Walk): unknown {
  if (typeof value === 'string') return node.path ? canonicalText(node.path, value, pointer, walk) : value;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const inner = node.item(index);
      if (inner) value[index] = canonicalAt(inner, item, `${pointer}/${index}`, walk);
    }
    return value;
  }
  return typeof value === 'object' && value !== null
    ? canonicalObject(node, value as Record<string, unknown>, pointer, walk)
    : value;
}

function canonicalObject(node: PathNode, value: Record<string, unknown>, pointer: string, walk: Walk): unknown {
  for (const [name, item] of Object.entries(value)) {
    const inner = node.property(name);
    if (inner) value[name] = canonicalAt(inner, item, `${pointer}/${escaped(name)}`, walk);
  }
  for (const {name, node: inner, value: standard} of node.defaults()) {
    if (Object.hasOwn(value, name)) continue;
    // Only inspected: the handler has its own default.
    const aside = {...walk};
    canonicalAt(inner, typeof standard === 'string' ? standard : [...standard], `${pointer}/${escaped(name)}`, aside);
  }
  const names = node.names();
  return names ? withCanonicalNames(names, value, pointer, walk) : value;
}

/** Two keys that name one path would leave it to chance which of them counts. */
function withCanonicalNames(
  kind: PathKind,
  value: Record<string, unknown>,
  pointer: string,
  walk: Walk,
): Record<string, unknown> {
  const renamed = new Map<string, unknown>();
  for (const [name, item] of Object.entries(value)) {
    const at = `${pointer}/${escaped(name)}`;
    const path = canonicalText(kind, name, at, walk);
    if (renamed.has(path)) walk.problems.push({pointer: at, message: `names \`${path}\`, as another key does`});
    renamed.set(path, item);
  }
  return Object.fromEntries(renamed);
}

function canonicalText(kind: PathKind, text: string, pointer: string, walk: Walk): string {
  const path = note(kind, text, pointer, walk);
  if (path !== text) walk.isChanged = true;
  return path;
}

function note({access, recursive}: PathKind, text: string, pointer: string, walk: Walk): string {
  const path = normalizePath(text);
  if (path !== undefined) {
    walk.paths.push({pointer, path, access, recursive});
    return path;
  }
  walk.problems.push({pointer, message: `is not a path in the workspace: it ${pathProblem(text) ?? 'cannot be read'}`});
  return text;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
