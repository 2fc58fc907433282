// The pack layer of policy: one pack's rules, or those of several packs that govern a call together.
import {canonicalJson} from '../evidence/index.ts';
import type {LoadedPack} from '../packs/loaded-pack.ts';
import {compilePolicyLayer, type CompiledLayer, type PolicyCompilerPorts} from '../policy/index.ts';
import type {Problem} from '../problem.ts';

export interface PackPolicies {
  of(packs: readonly LoadedPack[]): CompiledLayer;
  readonly problems: readonly Problem[];
}

export function createPackPolicies(packs: readonly LoadedPack[], ports: PolicyCompilerPorts): PackPolicies {
  const layers = new Map<string, CompiledLayer>();
  const compile = (governing: readonly LoadedPack[]) => {
    const {layer, problems} = compilePolicyLayer({
      layer: 'pack',
      rules: governing.flatMap((pack) => pack.rules),
      ports,
    });
    const canonical = `[${layer.canonical},${canonicalJson(governing.map(meaningOf))}]`;
    return {layer: {...layer, canonical}, problems};
  };
  const keyOf = (governing: readonly LoadedPack[]): string => governing.map((pack) => pack.manifest.id).join(' ');
  const problems: Problem[] = [];
  for (const pack of packs) {
    const compiled = compile([pack]);
    problems.push(...compiled.problems);
    layers.set(keyOf([pack]), compiled.layer);
  }
  return {
    problems,
    of(governing) {
      const key = keyOf(governing);
      const known = layers.get(key);
      if (known) return known;
      const {layer} = compile(governing);
      layers.set(key, layer);
      return layer;
    },
  };
}

/** The decisions of a factory's functions depend on the pack's code and config, so an approval ends when these change. */
function meaningOf({manifest: {id, version}, integrity, config}: LoadedPack): Readonly<Record<string, unknown>> {
  return {id, version, integrity, config: config ?? null};
}
