// Ed25519 keys of packs' signers, hosts and workers. A private key is a PKCS #8 PEM file, readable by other programs, preceded by the
// key's name. A public key is a C2SP verifier key, like the evidence log's.
import {noteKeyOf, type NoteKey} from '@lumenflow/kernel/node';
import {createPrivateKey, generateKeyPairSync, type KeyObject} from 'node:crypto';

const nameLine = /^Name: ([^\s+]+)$/mu;

export interface NamedKey extends NoteKey {
  readonly privateKey: KeyObject;
}

/** The text of a key file. `name` contains no spaces and no `+`. */
export function makeNamedKey(name: string): {readonly text: string; readonly verifierKey: string} {
  const {privateKey} = generateKeyPairSync('ed25519');
  const pem = privateKey.export({format: 'pem', type: 'pkcs8'}).toString();
  return {text: `Name: ${name}\n${pem}`, verifierKey: noteKeyOf(name, privateKey).verifierKey};
}

export function isKeyName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._/@-]{0,127}$/u.test(name);
}

/** Undefined for text that is not such a key. */
export function readNamedKey(text: string): NamedKey | undefined {
  const [, name] = nameLine.exec(text) ?? [];
  const privateKey = name === undefined ? undefined : privateKeyIn(text);
  return name === undefined || privateKey?.asymmetricKeyType !== 'ed25519'
    ? undefined
    : {...noteKeyOf(name, privateKey), privateKey};
}

function privateKeyIn(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text.slice(Math.max(0, text.indexOf('-----BEGIN'))));
  } catch {
    // Any parse error means that the text is not a usable signing key.
    return undefined;
  }
}
