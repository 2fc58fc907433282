// One digest over all that decides: an approval binds it, so that it dies with the policy it was given under.
import type {LooseningLayerName} from '@lumenflow/schemas';
import {canonicalJson} from '../evidence/canonical-json.ts';
import {layerNames, type PolicyLayers} from './compiled-layer.ts';

/** `sha256` gives lower-case hex. Of a factory's function only its presence counts: its code is the pack's, which its layer names. */
export function policyDigest(
  layers: PolicyLayers,
  allowLoosening: readonly LooseningLayerName[],
  sha256: (content: string) => string,
): string {
  const texts = layerNames.map((name) => layers[name]?.canonical ?? 'null');
  return sha256(`[${canonicalJson(allowLoosening.toSorted())},${texts.join(',')}]`);
}
