// Signs what a worker of a test enforced, as `lumenflow worker` does, so that the host can record and verify it.
import {sign, type KeyObject} from 'node:crypto';
import {attestationText} from '@lumenflow/kernel/adapters';
import type {Attestation, AttestedCall} from '@lumenflow/schemas';

export function attestForTest(
  call: Omit<AttestedCall, 'version' | 'key'>,
  {id, privateKey}: {readonly id: string; readonly privateKey: KeyObject},
): Attestation {
  const attested: AttestedCall = {version: 1, key: id, ...call};
  return {call: attested, signature: sign(null, Buffer.from(attestationText(attested)), privateKey).toString('base64')};
}
