// What a worker signs of a call. The first line keeps the signature from being valid for anything else that the key signs.
import type {AttestedCall} from '@lumenflow/schemas';
import {canonicalJson} from './canonical-json.ts';

export function attestationText(call: AttestedCall): string {
  return `lumenflow.attestation.v1\n${canonicalJson(call)}\n`;
}
