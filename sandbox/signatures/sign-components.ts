import {sign} from 'node:crypto';
import {signatureBase, type Component} from './signature-base.ts';
import {writeSignatureInput} from './signature-input.ts';
import type {SigningKey} from './signing-key.ts';

/** The name of signatures that this side makes. */
const label = 'lumenflow';
/** The application that signatures are made for. */
export const signatureTag = 'lumenflow-worker';

/** The two fields of a signature over components. `parameters` are those besides key, algorithm and tag. */
export function signComponents(
  components: readonly Component[],
  parameters: readonly (readonly [string, string | number])[],
  {id, privateKey}: SigningKey,
): {readonly 'signature-input': string; readonly signature: string} {
  const identifiers = components.map(([identifier]) => identifier);
  const all = [...parameters, ['keyid', id], ['alg', 'ed25519'], ['tag', signatureTag]] as const;
  const input = writeSignatureInput(identifiers, all);
  const signature = sign(null, Buffer.from(signatureBase(components, input)), privateKey);
  return {'signature-input': `${label}=${input}`, signature: `${label}=:${signature.toString('base64')}:`};
}
