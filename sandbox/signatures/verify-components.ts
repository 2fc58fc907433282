// Verifies the one signature of a message. What it must cover and which parameters it must have is fixed, so that a sender cannot
// choose a weaker signature: everything else is refused, before any key is used.
import {verify} from 'node:crypto';
import {failed, ok, type Failed, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {readRequiredField, type MessageFields} from './message-fields.ts';
import {signatureTag} from './sign-components.ts';
import {signatureBase, type Component} from './signature-base.ts';
import {parseSignatureInput, type SignatureInput} from './signature-input.ts';
import type {VerifyingKeys} from './signing-key.ts';

export interface ComponentsToVerify {
  readonly fields: MessageFields;
  /** Exactly these must be covered, in any order. */
  readonly components: readonly Component[];
  /** Exactly these integers must be among the parameters, ... */
  readonly times: readonly string[];
  /** ... and exactly these strings, besides key, algorithm and tag. */
  readonly texts: readonly string[];
  readonly keys: VerifyingKeys;
  /** What to do about a key that is not among them. */
  readonly unknownKeyHelp: string;
}

export interface VerifiedComponents {
  readonly keyId: string;
  readonly times: SignatureInput['times'];
  readonly texts: SignatureInput['texts'];
  /** The fields as they were sent. */
  readonly signature: string;
  readonly signatureInput: string;
}

export function verifyComponents(given: ComponentsToVerify): Outcome<VerifiedComponents> {
  const {fields, components, keys, unknownKeyHelp} = given;
  const inputField = readRequiredField(fields, 'signature-input');
  if (!inputField.ok) return inputField;
  const signatureField = readRequiredField(fields, 'signature');
  if (!signatureField.ok) return signatureField;
  const parsed = parseSignatureInput(inputField.value);
  if (!parsed.ok) return parsed;
  const input = parsed.value;
  const mismatch = mismatchOf(input, given);
  if (mismatch !== undefined) return mismatch;
  const bytes = signatureBytes(signatureField.value, input.label);
  if (!bytes.ok) return bytes;
  const keyId = input.texts.get('keyid') ?? '';
  const key = keys.get(keyId);
  if (key?.asymmetricKeyType !== 'ed25519') {
    return failed({message: `the key \`${keyId}\` is not trusted`, help: unknownKeyHelp});
  }
  const values = new Map(components);
  const inOrder = input.components.map((identifier) => [identifier, values.get(identifier) ?? ''] as const);
  if (!verify(null, Buffer.from(signatureBase(inOrder, input.text)), key, bytes.value)) {
    const message = `the signature by \`${keyId}\` does not match the message`;
    return failed({message, help: 'check for a proxy that changes requests or responses on the way'});
  }
  const {times, texts} = input;
  return ok({keyId, times, texts, signature: signatureField.value, signatureInput: inputField.value});
}

function mismatchOf(
  {components, times, texts}: SignatureInput,
  given: ComponentsToVerify,
): Failed<SandboxProblem> | undefined {
  const wanted = given.components.map(([identifier]) => identifier);
  const wantedTexts = [...given.texts, 'keyid', 'alg', 'tag'];
  const differing =
    difference('cover', wanted, components) ??
    difference('have the integer', given.times, [...times.keys()]) ??
    difference('have the string', wantedTexts, [...texts.keys()]);
  if (differing !== undefined) {
    const help = `sign ${wanted.join(' ')} with ${[...given.times, ...wantedTexts].join(', ')}`;
    return failed({message: differing, help});
  }
  const alg = texts.get('alg');
  if (alg !== 'ed25519') {
    return failed({message: `the algorithm \`${alg}\` is not accepted`, help: 'sign with `ed25519`'});
  }
  const tag = texts.get('tag');
  return tag === signatureTag
    ? undefined
    : failed({message: `the signature is for \`${tag}\``, help: `sign with the tag \`${signatureTag}\``});
}

function difference(verb: string, wanted: readonly string[], found: readonly string[]): string | undefined {
  const missing = wanted.find((one) => !found.includes(one));
  if (missing !== undefined) return `the signature does not ${verb} ${missing}`;
  const other = found.find((one) => !wanted.includes(one));
  return other === undefined ? undefined : `the signature must not ${verb} ${other}`;
}

function signatureBytes(value: string, label: string): Outcome<Buffer> {
  const [, name, base64 = ''] = /^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]{86}==):$/u.exec(value) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (name === label && bytes.toString('base64') === base64) return ok(bytes);
  const message = `\`signature\` is not one Ed25519 signature named \`${label}\``;
  return failed({message, help: 'send `signature: NAME=:BASE64:` with the name of `signature-input`'});
}
