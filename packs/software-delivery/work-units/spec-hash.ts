// The hash that tells one text of a spec from another; at once, since ids are given inside of a decision.
import {createHash} from 'node:crypto';

/** SHA-256 in lower-case hex. */
export function specHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
