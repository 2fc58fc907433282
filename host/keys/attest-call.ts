import {attestationText} from '@lumenflow/kernel/adapters';
import type {Attestation, AttestedCall} from '@lumenflow/schemas';
import type {OwnKey} from './key-folder.ts';

/** What a worker vouches for, with the key that the call's host knows. */
export function attestCall(call: Omit<AttestedCall, 'version' | 'key'>, {id, signer}: OwnKey): Attestation {
  const attested: AttestedCall = {version: 1, key: id, ...call};
  return {call: attested, signature: Buffer.from(signer.sign(attestationText(attested))).toString('base64')};
}
