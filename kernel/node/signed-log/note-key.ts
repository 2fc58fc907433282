// The Ed25519 key that signs checkpoints: given by the host, or the workspace's own, created on first use. Beside it are
// all public keys that ever signed, as C2SP verifier keys.
import {KernelError} from '@lumenflow/kernel';
import {decodeBase64, encodeBase64, type NoteSigner, type NoteVerifier} from '@lumenflow/kernel/adapters';
import {createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject} from 'node:crypto';
import {appendFileSync, existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {sha256Bytes, sha256Hex} from '../system/sha256.ts';
import {createFile} from '../system/create-file.ts';
import {syncFolder} from '../log/segment-files.ts';

/** What a key signs is part of it, so that a signature of one kind is never taken for another. */
const algorithms = {note: 1, cosignature: 4} as const;
type Algorithm = keyof typeof algorithms;

export interface SigningKeyOptions {
  /** The folder of the workspace's own key and the public keys: `evidence.key`, `evidence.pub`. */
  readonly keyFolder: string;
  /** Base64 of a PKCS #8 DER Ed25519 private key. */
  readonly signingKey?: string | undefined;
}

/** What signs checkpoints, and what they are verified with. */
export interface SigningKeys {
  readonly signer: NoteSigner;
  /** C2SP verifier keys of all signers so far. */
  verifierKeys(): readonly string[];
}

/** The keys of a workspace. Rejects with KernelError LOAD_FAILED for a bad key. */
export async function openSigningKeys(options: SigningKeyOptions): Promise<SigningKeys> {
  const signer = await openSigningKey(options);
  return {signer, verifierKeys: () => readVerifierKeys(options.keyFolder)};
}

async function openSigningKey(options: SigningKeyOptions): Promise<NoteSigner> {
  mkdirSync(options.keyFolder, {recursive: true, mode: 0o700});
  const key = parseSigningKey(options.signingKey ?? (await ownKey(options.keyFolder)));
  const raw = rawPublicKey(key);
  const {signer, verifierKey} = noteKeyOf(`lumenflow-${sha256Hex(raw).slice(0, 8)}`, key);
  publish(options.keyFolder, verifierKey);
  return signer;
}

export interface NoteKey {
  readonly signer: NoteSigner;
  /** What others check with: a C2SP verifier key, `name+id+key`. */
  readonly verifierKey: string;
}

/** Of an Ed25519 private key, under a name without spaces and `+`. */
export function noteKeyOf(name: string, key: KeyObject): NoteKey {
  const raw = rawPublicKey(key);
  const keyId = keyIdOf(name, raw);
  return {
    signer: {
      name,
      keyId,
      sign: (text) => sign(null, Buffer.from(text), key),
      named: (other) => noteKeyOf(other, key).signer,
    },
    verifierKey: verifierKeyOf(name, raw),
  };
}

/** The verifier key of the same public key under another name. Throws KernelError LOAD_FAILED if `verifierKey` is not one. */
export function renamedVerifierKey(verifierKey: string, name: string): string {
  const key = parseVerifierKey(verifierKey);
  if (key === undefined) throw new KernelError('LOAD_FAILED', `\`${verifierKey}\` is not a verifier key`);
  return verifierKeyOf(name, Buffer.from(verifierKey.slice(key.id.length + 1), 'base64').subarray(1));
}

export function verifierKeyOf(name: string, raw: Uint8Array, algorithm: Algorithm = 'note'): string {
  return `${name}+${keyIdOf(name, raw, algorithm).toString('hex')}+${encodeBase64(typed(raw, algorithm))}`;
}

/** A C2SP verifier key. */
export interface VerifierKey extends NoteVerifier {
  /** `name+id`, which names the key in messages and signatures. */
  readonly id: string;
  readonly publicKey: KeyObject;
  /** The same key under another name. */
  named(name: string): VerifierKey;
}

/** The verifier of a C2SP verifier key, `name+id+key`; undefined for any other text. */
export function parseVerifierKey(text: string): VerifierKey | undefined {
  const key = readKey(text, 'note');
  return key && verifierOf(key.name, key.raw);
}

/** The name and the public key in a C2SP verifier key; undefined if its id is wrong, or it signs something else. */
export function readKey(text: string, algorithm: Algorithm): {name: string; raw: Uint8Array} | undefined {
  const [, name, id, base64] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(text) ?? [];
  const bytes = base64 === undefined ? undefined : decodeBase64(base64);
  if (name === undefined || bytes?.length !== 33 || bytes[0] !== algorithms[algorithm]) return undefined;
  const raw = bytes.subarray(1);
  return keyIdOf(name, raw, algorithm).toString('hex') === id ? {name, raw} : undefined;
}

export function publicKeyOf(raw: Uint8Array): KeyObject {
  return createPublicKey({
    key: {kty: 'OKP', crv: 'Ed25519', x: Buffer.from(raw).toString('base64url')},
    format: 'jwk',
  });
}

function verifierOf(name: string, raw: Uint8Array): VerifierKey {
  const keyId = keyIdOf(name, raw);
  const publicKey = publicKeyOf(raw);
  return {
    name,
    keyId,
    id: `${name}+${keyId.toString('hex')}`,
    publicKey,
    named: (other) => verifierOf(other, raw),
    verify: (text, signature) => verify(null, Buffer.from(text), publicKey, signature),
  };
}

/** The public keys published in a folder, one a line; none when there is no such file. */
export function readVerifierKeys(keyFolder: string): readonly string[] {
  return readPublished(keyFolder).split('\n').filter(Boolean);
}

function readPublished(keyFolder: string): string {
  try {
    return readFileSync(join(keyFolder, 'evidence.pub'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Of processes that start at once, one makes the key and all use it. */
async function ownKey(keyFolder: string): Promise<string> {
  const path = join(keyFolder, 'evidence.key');
  if (!existsSync(path)) {
    const {privateKey} = generateKeyPairSync('ed25519');
    await createFile(path, `${privateKey.export({format: 'der', type: 'pkcs8'}).toString('base64')}\n`);
  }
  return readFileSync(path, 'utf8').trim();
}

function publish(keyFolder: string, verifierKey: string): void {
  const published = readPublished(keyFolder);
  if (published.split('\n').includes(verifierKey)) return;
  // A line that a crash left without its end must not spoil this one.
  const separator = published === '' || published.endsWith('\n') ? '' : '\n';
  appendFileSync(join(keyFolder, 'evidence.pub'), `${separator}${verifierKey}\n`, {mode: 0o644, flush: true});
  syncFolder(keyFolder);
}

/** Throws KernelError LOAD_FAILED for anything else than the base64 of a PKCS #8 DER Ed25519 private key. */
export function parseSigningKey(base64: string): KeyObject {
  const problem = 'the evidence signing key is not an Ed25519 private key: use its PKCS #8 DER form in base64';
  let key: KeyObject;
  try {
    key = createPrivateKey({key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8'});
  } catch (cause) {
    throw new KernelError('LOAD_FAILED', problem, {cause});
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new KernelError('LOAD_FAILED', problem);
  return key;
}

export function rawPublicKey(key: KeyObject): Uint8Array {
  return Buffer.from(createPublicKey(key).export({format: 'jwk'}).x ?? '', 'base64url');
}

function typed(raw: Uint8Array, algorithm: Algorithm): Uint8Array {
  return Uint8Array.of(algorithms[algorithm], ...raw);
}

export function keyIdOf(name: string, raw: Uint8Array, algorithm: Algorithm = 'note'): Buffer {
  return Buffer.from(sha256Bytes(Buffer.concat([Buffer.from(`${name}\n`), typed(raw, algorithm)])).subarray(0, 4));
}
