// All keys of a list that comes in pages. A server that does not end its list is reported: the pages could otherwise be read for ever.
import type {KeyPage} from './parse-key-page.ts';

/** Pages without a new key. Some servers return a few of them after many deletions. */
const idlePagesMax = 100;

/** `pageAt`: undefined is the first page. Rejects with `failure` of a reason. */
export async function collectKeys(
  pageAt: (token: string | undefined) => Promise<KeyPage>,
  failure: (reason: string) => Error,
): Promise<readonly string[]> {
  const keys = new Set<string>();
  const tokens = new Set<string>();
  let idle = 0;
  for (let token: string | undefined; ;) {
    const page = await pageAt(token);
    const known = keys.size;
    for (const key of page.keys) keys.add(key);
    token = page.next;
    if (token === undefined) return [...keys];
    if (tokens.has(token)) throw failure('the list of objects does not end: the server returned a page twice');
    tokens.add(token);
    idle = keys.size === known ? idle + 1 : 0;
    if (idle > idlePagesMax) throw failure(`the list of objects does not end: ${idle} pages have no new key`);
  }
}
