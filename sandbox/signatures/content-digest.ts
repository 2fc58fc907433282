// The digest of a message's content by RFC 9530, over the bytes as they were received.
import {createHash} from 'node:crypto';
import {failed, ok, type Outcome} from '../outcome.ts';

type DigestAlgorithm = 'sha-256' | 'sha-512';

/** The value of a `Content-Digest` field. */
export function contentDigest(body: Uint8Array, algorithm: DigestAlgorithm = 'sha-256'): string {
  const digest = createHash(algorithm.replace('-', '')).update(body).digest('base64');
  return `${algorithm}=:${digest}:`;
}

/** One digest, by an algorithm that RFC 9530 calls active: a second one would allow the sender to choose which is compared. */
export function checkContentDigest(value: string, body: Uint8Array): Outcome<true> {
  const [, algorithm] = /^(sha-256|sha-512)=:[A-Za-z0-9+/]+={0,2}:$/u.exec(value) ?? [];
  if (algorithm === undefined) {
    const message = '`content-digest` is not one digest by sha-256 or sha-512';
    return failed({message, help: 'send `content-digest: sha-256=:BASE64:`'});
  }
  if (value === contentDigest(body, algorithm as DigestAlgorithm)) return ok(true);
  const message = `\`content-digest\` is not the ${algorithm} digest of the ${body.length} bytes that were received`;
  return failed({message, help: 'send the message again: its content was cut or changed on the way'});
}
