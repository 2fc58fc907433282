// The digest of a stack of layers, computed once for each stack: an approval binds it.
import type {LooseningLayerName} from '@lumenflow/schemas';
import {policyDigest, type PolicyLayers} from './index.ts';

export interface PolicyDigestCache {
  of(layers: PolicyLayers): string;
}

export function createPolicyDigestCache(
  allowLoosening: readonly LooseningLayerName[],
  sha256: (text: string) => string,
): PolicyDigestCache {
  const known = new WeakMap<object, {layers: PolicyLayers; digest: string}[]>();
  return {
    of(layers) {
      const first: object = layers.lane ?? layers.workspace;
      const digests = known.get(first) ?? [];
      const cached = digests.find((entry) => entry.layers.pack === layers.pack && entry.layers.task === layers.task);
      if (cached) return cached.digest;
      const digest = policyDigest(layers, allowLoosening, sha256);
      if (layers.task === undefined) known.set(first, [...digests, {layers, digest}]);
      return digest;
    },
  };
}
