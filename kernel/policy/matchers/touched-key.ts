// `reads` and `writes`: globs over the paths that a request says it touches.
//
// In doubt, a rule errs on the safe side. A restricting rule matches if one of the paths matches, or might: below a directory, behind
// a link, or by another letter case where a file system ignores case. An allowing rule matches only if all paths
// certainly match. `not` reverses this.
import type {PathAccess, PolicyExample} from '@lumenflow/schemas';
import {
  compileMatcher,
  coversPattern,
  foldPath,
  foldPattern,
  intersectPatterns,
  normalizePath,
  parsePattern,
  type PathPattern,
} from '../../scopes/index.ts';
import type {MatcherSite} from '../matcher-site.ts';
import type {PolicyRequest, TouchedPath} from '../policy-request.ts';
import {setReference, unknownSet} from '../sets/set-reference.ts';
import type {MatcherKey} from './matcher-key.ts';

type Access = Extract<keyof PolicyExample['call'], 'reads' | 'writes'>;

export function touchedKey(name: Access): MatcherKey {
  const access: PathAccess = name === 'reads' ? 'read' : 'write';
  const of = (touched: readonly TouchedPath[] | undefined): readonly TouchedPath[] =>
    touched?.filter((path) => path.access === access) ?? [];
  return {
    compile(operand, pointer, site) {
      const patterns = parseGlobs(operand, pointer, site);
      const fits = site.isPermissive ? certainly(patterns) : possibly(patterns);
      return ({touched}) => {
        const own = of(touched);
        if (own.length === 0) return false;
        return site.isPermissive ? own.every(fits) : own.some(fits);
      };
    },
    /** Without a tool there is nothing that could be touched. What a call changes its path inputs need not say. */
    reach:
      () =>
      ({tool, trigger}) =>
        tool && (trigger === 'on_changes' || tool.touches?.includes(access) !== false) ? 'maybe' : 'never',
    *requires() {
      const read = ({touched}: PolicyRequest): boolean => of(touched).length > 0;
      yield {subject: name, isOfPaths: true, read, values: [true], prefixes: []};
    },
    names: () => [],
    example: (call) => {
      const paths = call[name];
      if (paths === undefined) return {};
      return {touched: [paths].flat().map((path) => ({path: normalizePath(path) ?? path, access}))};
    },
    insteadIn: (trigger) => {
      if (trigger === 'on_tool_result') return 'use it in a rule of on_tool_request, which also knows where links lead';
      return name === 'reads' && trigger === 'on_changes'
        ? 'a rule of on_changes judges what a call changed: use `writes` or `changes`, or `reads` in a rule of on_tool_request'
        : undefined;
    },
  };
}

function parseGlobs(operand: unknown, pointer: string, site: MatcherSite): readonly PathPattern[] {
  const globs: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  if (globs.length === 0) site.reject(pointer, 'POLICY_GLOB_INVALID', 'expected a glob, or a non-empty list of globs');
  return globs.flatMap((glob, index) => {
    const at = Array.isArray(operand) ? `${pointer}/${index}` : pointer;
    if (typeof glob !== 'string') {
      site.reject(at, 'POLICY_GLOB_INVALID', 'a glob must be a string');
      return [];
    }
    const unknown = setReference(glob);
    if (unknown !== undefined) {
      const {message, help} = unknownSet(unknown);
      site.reject(at, 'POLICY_GLOB_INVALID', message, help);
      return [];
    }
    const parsed = parsePattern(glob);
    if (parsed.ok) return parsed.value;
    const {offset, message, help} = parsed.problem;
    site.reject(at, 'POLICY_GLOB_INVALID', `path glob \`${glob}\`, character ${offset + 1}: ${message}`, help);
    return [];
  });
}

type Fits = (path: TouchedPath) => boolean;

function possibly(patterns: readonly PathPattern[]): Fits {
  const exact = compileMatcher(patterns);
  const foldedPatterns = patterns.map(foldPattern);
  const folded = compileMatcher(foldedPatterns);
  const at = (path: string): boolean => exact(path) || folded(foldPath(path));
  return ({path, leads_to, below}) =>
    at(path) ||
    (leads_to !== undefined && at(leads_to)) ||
    (below !== undefined && (meet(below(), patterns) || meet(below().map(foldPattern), foldedPatterns)));
}

/** In doubt, they meet. */
function meet(a: readonly PathPattern[], b: readonly PathPattern[]): boolean {
  const met = intersectPatterns(a, b);
  return met === 'too_complex' || met.length > 0;
}

function certainly(patterns: readonly PathPattern[]): Fits {
  const exact = compileMatcher(patterns);
  return ({path, leads_to, leads_out, below}) =>
    leads_out !== true &&
    exact(path) &&
    (leads_to === undefined || exact(leads_to)) &&
    (below === undefined || below().every((part) => patterns.some((pattern) => coversPattern(pattern, part))));
}
