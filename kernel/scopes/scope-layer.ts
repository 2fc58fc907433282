// One layer of the intersection, compiled from the scopes that a workspace, lane, task or tool declares.
import type {NetworkPosture, NetworkScope, PathAccess, Scope} from '@lumenflow/schemas';
import type {Problem} from '../problem.ts';
import {patternSetMax, reducePatterns} from './intersect-patterns.ts';
import {parseNetworkEntry} from './network-entry.ts';
import type {NetworkEntry} from './network-entry.ts';
import {allowlist, networkAny, networkFull, networkOff, uniteReach} from './network-reach.ts';
import type {NetworkReach} from './network-reach.ts';
import {parsePattern} from './parse-pattern.ts';
import type {PatternProblem} from './parse-pattern.ts';
import {everyPath} from './path-pattern.ts';
import type {PathPattern} from './path-pattern.ts';

export type ScopeLayerName = 'workspace' | 'lane' | 'task' | 'tool' | 'caller';

export interface DeclaredPathScope {
  /** As written. */
  readonly pattern: string;
  readonly access: PathAccess;
  /** None when the pattern was refused: nothing satisfies it. */
  readonly patterns: readonly PathPattern[];
  readonly where: string;
}

export interface ScopeLayer {
  readonly name: ScopeLayerName;
  /** Of a layer `caller`: the tool that makes the call. */
  readonly caller?: string;
  /** Of the layer's first scope, or of the layer. */
  readonly where: string;
  readonly paths: readonly DeclaredPathScope[];
  /** Canonical. What may be written may be read; the very same list when there is no more. */
  readonly read: readonly PathPattern[];
  readonly write: readonly PathPattern[];
  readonly network: NetworkReach;
  /** Of the first network scope. Undefined when the layer declares none. */
  readonly networkWhere: string | undefined;
}

export interface ScopeLayerSource {
  readonly name: ScopeLayerName;
  readonly scopes: readonly Scope[];
  /**
   * `file:line:column` of a scope, or of what a JSON pointer into the scope leads to.
   * Index 0 of an empty list means the list itself.
   */
  where(index: number, inside?: string): string;
  /** The posture when no network scope is declared; `any` leaves the network to the other layers. */
  readonly networkDefault: NetworkPosture | 'any';
}

/** A scope with a problem grants nothing, and where it was required nothing satisfies it. */
export function compileScopeLayer(source: ScopeLayerSource): {layer: ScopeLayer; problems: readonly Problem[]} {
  const problems: Problem[] = [];
  const paths: DeclaredPathScope[] = [];
  const reaches: LocatedReach[] = [];
  for (const [index, scope] of source.scopes.entries()) {
    if (scope.type === 'network') {
      const reach = compileReach(scope, (inside) => source.where(index, inside), problems);
      reaches.push({reach, index, isOff: scope.posture === 'off'});
      continue;
    }
    const parsed = parsePattern(scope.pattern);
    if (!parsed.ok) problems.push(patternProblem(scope.pattern, parsed.problem, source.where(index, '/pattern')));
    const patterns = parsed.ok ? parsed.value : [];
    // A position is found by parsing the file once more, so it is computed when it is asked for.
    paths.push({
      pattern: scope.pattern,
      access: scope.access,
      patterns,
      get where() {
        return source.where(index);
      },
    });
  }
  const network = reaches.length === 0 ? defaultReach(source.networkDefault) : uniteScopes(reaches, source, problems);
  const patterns = patternsOf(paths);
  if (patterns === undefined) problems.push(tooManyPatterns(source.where(0)));
  const layer: ScopeLayer = {
    name: source.name,
    paths,
    ...(patterns ?? {read: [], write: []}),
    network,
    get where() {
      return source.where(0);
    },
    get networkWhere() {
      return reaches[0] && source.where(reaches[0].index);
    },
  };
  return {layer, problems};
}

/** Canonical; undefined when they are too many. */
function patternsOf(paths: readonly DeclaredPathScope[]): Pick<ScopeLayer, 'read' | 'write'> | undefined {
  const written = paths.filter(({access}) => access === 'write');
  const write = reducePatterns(written.flatMap(({patterns}) => patterns));
  const read = written.length === paths.length ? write : reducePatterns(paths.flatMap(({patterns}) => patterns));
  return read === 'too_complex' || write === 'too_complex' ? undefined : {read, write};
}

/** A layer that takes nothing away: a task without `declared_scopes` may do all that its lane allows. */
export function unrestrictedLayer(name: ScopeLayerName, where: string): ScopeLayer {
  const all = [everyPath];
  return {name, where, paths: [], read: all, write: all, network: networkAny, networkWhere: undefined};
}

function defaultReach(posture: ScopeLayerSource['networkDefault']): NetworkReach {
  if (posture === 'any') return networkAny;
  return posture === 'full' ? networkFull : networkOff;
}

interface LocatedReach {
  readonly reach: NetworkReach;
  /** Of its scope in the layer. */
  readonly index: number;
  /** Said, not what is left of entries that were refused. */
  readonly isOff: boolean;
}

/** `off` anywhere is off, beside other scopes of its layer too: there it is a contradiction. */
function uniteScopes(reaches: readonly LocatedReach[], source: ScopeLayerSource, problems: Problem[]): NetworkReach {
  const off = reaches.find(({isOff}) => isOff);
  if (off === undefined) return reaches.map(({reach}) => reach).reduce(uniteReach);
  if (reaches.some(({isOff}) => !isOff)) problems.push(contradiction(source.where(off.index)));
  return networkOff;
}

function compileReach(scope: NetworkScope, where: (inside: string) => string, problems: Problem[]): NetworkReach {
  const written = scope.allowlist_entries ?? [];
  if ((scope.posture === 'allowlist') !== written.length > 0) {
    problems.push(postureProblem(scope.posture, where('/posture')));
  }
  const entries: NetworkEntry[] = [];
  for (const [index, text] of written.entries()) {
    const parsed = parseNetworkEntry(text);
    if (parsed.ok) entries.push(parsed.value);
    else problems.push(entryProblem(text, parsed.problem, where(`/allowlist_entries/${index}`)));
  }
  if (scope.posture === 'full') return networkFull;
  return scope.posture === 'off' ? networkOff : allowlist(entries);
}

function postureProblem(posture: NetworkPosture, where: string): Problem {
  const code = 'SCOPE_NETWORK_INVALID';
  return posture === 'allowlist'
    ? {
        code,
        severity: 'error',
        message: 'a network scope of posture `allowlist` lists no entries',
        where,
        help: 'add `allowlist_entries`, or write `posture: off`',
      }
    : {
        code,
        severity: 'error',
        message: `\`allowlist_entries\` has no effect with the posture \`${posture}\``,
        where,
        help: 'write `posture: allowlist`, or remove the entries',
      };
}

function contradiction(where: string): Problem {
  return {
    code: 'SCOPE_NETWORK_INVALID',
    severity: 'error',
    message: 'a layer has a network scope of posture `off` and other network scopes',
    where,
    help: 'remove it, or the others: `off` overrides them',
  };
}

function entryProblem(text: string, problem: PatternProblem, where: string): Problem {
  return {
    code: 'SCOPE_NETWORK_INVALID',
    severity: 'error',
    message: `network entry \`${text}\`, character ${problem.offset + 1}: ${problem.message}`,
    where,
    help: problem.help,
  };
}

function patternProblem(pattern: string, problem: PatternProblem, where: string): Problem {
  return {
    code: 'SCOPE_PATTERN_INVALID',
    severity: 'error',
    message: `path pattern \`${pattern}\`, character ${problem.offset + 1}: ${problem.message}`,
    where,
    help: problem.help,
  };
}

function tooManyPatterns(where: string): Problem {
  return {
    code: 'SCOPE_TOO_COMPLEX',
    severity: 'error',
    message: `the scopes of this layer expand to more than ${patternSetMax} patterns`,
    where,
    help: 'use fewer and wider patterns',
  };
}
