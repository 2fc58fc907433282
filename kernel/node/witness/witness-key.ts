// The Ed25519 key of a witness. In its verifier key, `name+id+key`, the byte before the public key is 4, that of C2SP tlog-cosignature v1.
import {cosign, cosignedText, readCosignature, signatureLinesOf, type NoteVerifier} from '@lumenflow/kernel/adapters';
import {sign, verify, type KeyObject} from 'node:crypto';
import {keyIdOf, publicKeyOf, rawPublicKey, readKey, verifierKeyOf} from '../signed-log/note-key.ts';

export interface WitnessKey {
  /** What others verify with: a C2SP verifier key. */
  readonly verifierKey: string;
  /** The line of a cosignature over the text of a checkpoint. `seconds` since 1970. */
  cosign(text: string, seconds: number): string;
}

export interface WitnessVerifier extends NoteVerifier {
  readonly verifierKey: string;
  /** The id of the key in hex, for the names of files. */
  readonly id: string;
  /** The line of the cosignature in a note, and its time in seconds since 1970; undefined if there is no valid one. */
  cosignatureIn(note: string): {readonly line: string; readonly seconds: number} | undefined;
}

/** Of an Ed25519 private key, under a name without spaces and `+`. */
export function witnessKeyOf(name: string, key: KeyObject): WitnessKey {
  const raw = rawPublicKey(key);
  const keyId = keyIdOf(name, raw, 'cosignature');
  const signer = {name, keyId, sign: (text: string) => sign(null, Buffer.from(text), key)};
  return {
    verifierKey: verifierKeyOf(name, raw, 'cosignature'),
    cosign: (text, seconds) => cosign(text, seconds, signer),
  };
}

/** Undefined for anything else than the verifier key of a witness. */
export function parseWitnessKey(verifierKey: string): WitnessVerifier | undefined {
  const read = readKey(verifierKey, 'cosignature');
  if (read === undefined) return undefined;
  const {name, raw} = read;
  const keyId = keyIdOf(name, raw, 'cosignature');
  const publicKey = publicKeyOf(raw);
  const verifier: NoteVerifier = {
    name,
    keyId,
    verify(text, bytes) {
      const read = readCosignature(bytes);
      return (
        read !== undefined && verify(null, Buffer.from(cosignedText(text, read.seconds)), publicKey, read.signature)
      );
    },
  };
  return {
    ...verifier,
    verifierKey,
    id: keyId.toString('hex'),
    cosignatureIn(note) {
      const [line] = signatureLinesOf(note, [verifier]);
      const base64 = line?.trimEnd().split(' ').at(-1) ?? '';
      const read = readCosignature(Buffer.from(base64, 'base64').subarray(keyId.length));
      return line === undefined || read === undefined ? undefined : {line, seconds: read.seconds};
    },
  };
}
