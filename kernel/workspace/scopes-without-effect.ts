// Scopes of a lane that grant nothing, because the workspace covers none of what they name, and a deny overlay that
// leaves nothing to grant. Such a workspace loads, and refuses what its author meant to allow.
import type {Problem} from '../problem.ts';
import {
  coversPattern,
  everyPath,
  intersectPatterns,
  intersectReach,
  type Holes,
  type ScopeLayer,
} from '../scopes/index.ts';

interface Compiled {
  readonly workspace: ScopeLayer;
  readonly lanes: ReadonlyMap<string, {readonly scopes: ScopeLayer}>;
  readonly holes: Holes;
}

export function scopesWithoutEffect({workspace, lanes, holes}: Compiled): readonly Problem[] {
  const all = holes.list.find(({pattern, where}) => where !== undefined && coversPattern(pattern, everyPath));
  return [
    ...(all?.where === undefined ? [] : [coversAll(all.pattern.text, all.where)]),
    ...[...lanes].flatMap(([id, {scopes}]) => [
      ...pathsWithoutEffect(id, scopes, workspace),
      ...networkWithoutEffect(id, scopes, workspace),
    ]),
  ];
}

function pathsWithoutEffect(id: string, lane: ScopeLayer, workspace: ScopeLayer): readonly Problem[] {
  return lane.paths.flatMap(({pattern, patterns, access, where}) => {
    const met = intersectPatterns(patterns, workspace[access]);
    if (patterns.length === 0 || met === 'too_complex' || met.length > 0) return [];
    return [
      grantsNothing(`the ${access} scope \`${pattern}\` of lane \`${id}\``, where, {
        missing: `no ${access} scope of the workspace covers any of it`,
        help: `add a ${access} scope to \`security.allowed_scopes\`, or remove this one`,
      }),
    ];
  });
}

function networkWithoutEffect(id: string, lane: ScopeLayer, workspace: ScopeLayer): readonly Problem[] {
  const {networkWhere, network} = lane;
  if (networkWhere === undefined || network.posture === 'off') return [];
  if (intersectReach(network, workspace.network).posture !== 'off') return [];
  return [
    grantsNothing(`the network scope of lane \`${id}\``, networkWhere, {
      missing: 'the workspace allows none of it',
      help: 'add a network scope to `security.allowed_scopes`, or remove this one',
    }),
  ];
}

function grantsNothing(
  what: string,
  where: string,
  {missing, help}: {readonly missing: string; readonly help: string},
): Problem {
  return {
    code: 'SCOPE_GRANTS_NOTHING',
    severity: 'warning',
    message: `${what} grants nothing: ${missing}`,
    where,
    help,
  };
}

function coversAll(pattern: string, where: string): Problem {
  return {
    code: 'DENY_OVERLAY_COVERS_ALL',
    severity: 'warning',
    message: `the deny overlay \`${pattern}\` hides the whole workspace: no call that needs a file can run`,
    where,
    help: 'name the files to hide, for example `secrets/**`',
  };
}
