// The hash of a spec's text. Synchronous, because ids are assigned inside a decision.
import {createHash} from 'node:crypto';

/** SHA-256 in lower-case hex. */
export function specHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
