// What a browser is asked for when a person creates a passkey. Nothing is signed yet, so the challenge needs no secret: it names the
// person. A response that is sent again enrols nothing, because each passkey is enrolled once.
import type {Person} from '@lumenflow/schemas';
import {hash} from 'node:crypto';

export interface PasskeyOwner {
  readonly name: string;
  readonly person?: Person | undefined;
}

/** The text whose SHA-256 is the challenge. */
export function enrolmentChallenge({name, person}: PasskeyOwner): string {
  return ['lumenflow-passkey-v1', name, person?.issuer ?? '', person?.subject ?? '', ''].join('\n');
}

/** Identifies the person to authenticators, as base64; without a name in it. */
export function userIdOf(owner: PasskeyOwner): string {
  return hash('sha256', `user\n${enrolmentChallenge(owner)}`, 'base64');
}
