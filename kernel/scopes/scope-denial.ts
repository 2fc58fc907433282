// Why a call got no grant: which layer left nothing of what, where that is written, and what to do about it.
import type {PathAccess} from '@lumenflow/schemas';
import type {Hole} from './holes.ts';
import type {DeclaredPathScope, ScopeLayer, ScopeLayerName} from './scope-layer.ts';

export interface ScopeDenial {
  /** `too_complex`: the layers may leave something, but finding out costs more than a call may. */
  readonly reason: 'emptied' | 'hole' | 'too_complex';
  readonly access: PathAccess | 'network';
  /** The first layer whose addition left nothing. */
  readonly layer: ScopeLayerName;
  /** `file:line:column` in that layer. */
  readonly where: string;
  readonly message: string;
  readonly help: string;
  readonly rule_id: 'kernel.scope.boundary' | 'kernel.scope.reserved-path';
}

/** The place to blame: a layer, or one scope of it. */
export type Blamed = Pick<ScopeLayer, 'name' | 'where'>;

export const scopeLists: Readonly<Record<ScopeLayerName, string>> = {
  workspace: '`security.allowed_scopes` of the workspace',
  lane: '`allowed_scopes` of the lane',
  task: '`declared_scopes` of the task, or to what its pack derives them from, such as code paths',
  tool: '`required_scopes` of the tool',
  caller: '`calls` of the calling tool, or to its `required_scopes`',
};

/** For a request of a reserved path. */
export const reservedHelp = 'no tool can access credentials, or the state of the runtime and its packs';

export function deniedPath(scope: DeclaredPathScope, access: PathAccess, layer: Blamed): ScopeDenial {
  return {
    reason: 'emptied',
    access,
    layer: layer.name,
    where: layer.where,
    message: `the ${layer.name} grants none of the ${access} access to \`${scope.pattern}\` that the tool requires`,
    help: `add a ${access} scope to ${scopeLists[layer.name]}; the tool asks for it at ${scope.where}`,
    rule_id: 'kernel.scope.boundary',
  };
}

export function deniedInHole(scope: DeclaredPathScope, access: PathAccess, layer: Blamed, hole: Hole): ScopeDenial {
  const {pattern, where} = hole;
  const required = `the ${access} access to \`${scope.pattern}\` that the tool requires`;
  const denial = {reason: 'hole', access} as const;
  if (where === undefined) {
    return {
      ...denial,
      layer: layer.name,
      where: layer.where,
      message: `${required} is inside the reserved path \`${pattern.text}\``,
      help: `name another path in ${scopeLists[layer.name]}: ${reservedHelp}`,
      rule_id: 'kernel.scope.reserved-path',
    };
  }
  return {
    ...denial,
    layer: 'workspace',
    where,
    message: `${required} is inside the deny overlay \`${pattern.text}\``,
    help: `remove the overlay from \`security.deny_overlays\`, or name another path at ${scope.where}`,
    rule_id: 'kernel.scope.boundary',
  };
}

export function deniedNetwork(tool: ScopeLayer, layer: ScopeLayer): ScopeDenial {
  const {posture, allowlist_entries} = tool.network;
  const required =
    posture === 'full' ? 'the full network' : allowlist_entries.map((entry) => `\`${entry}\``).join(', ');
  const asked = tool.networkWhere ?? tool.where;
  return {
    reason: 'emptied',
    access: 'network',
    layer: layer.name,
    where: layer.networkWhere ?? layer.where,
    message: `the ${layer.name} grants none of the network access that the tool requires: ${required}`,
    help:
      layer.network.posture === 'full'
        ? `\`full\` leaves out the host's own addresses: list them as \`allowlist_entries\` of one more network scope in ${scopeLists[layer.name]}`
        : `add a network scope to ${scopeLists[layer.name]}; the tool asks for it at ${asked}`,
    rule_id: 'kernel.scope.boundary',
  };
}

export function deniedAsTooComplex(access: PathAccess, layer: Blamed): ScopeDenial {
  return {
    reason: 'too_complex',
    access,
    layer: layer.name,
    where: layer.where,
    message: `the ${access} scopes up to the ${layer.name} intersect in too many patterns`,
    help: `use fewer \`*\` and \`**\`, or fewer scopes, in ${scopeLists[layer.name]}`,
    rule_id: 'kernel.scope.boundary',
  };
}
