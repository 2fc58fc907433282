// A page of an ordered list. The cursor names the last entry, so a page neither repeats nor skips an entry that remains
// when the list changes.
import {ProtocolError, ProtocolErrorCode} from '@modelcontextprotocol/server';

// Some clients read only the first page.
const pageSize = 1_000;

/** `names` is sorted. Throws ProtocolError for an unknown cursor. */
export function page<T>(
  entries: readonly T[],
  nameOf: (entry: T) => string,
  cursor: string | undefined,
): {readonly entries: readonly T[]; readonly nextCursor?: string} {
  const after = cursor === undefined ? '' : decode(cursor);
  const rest = entries.filter((entry) => nameOf(entry) > after);
  const shown = rest.slice(0, pageSize);
  const last = shown.at(-1);
  return {entries: shown, ...(last !== undefined && rest.length > pageSize && {nextCursor: encode(nameOf(last))})};
}

function encode(name: string): string {
  return Buffer.from(name).toString('base64url');
}

function decode(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString();
  if (name !== '' && encode(name) === cursor) return name;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'the cursor is not from this server: start without one');
}
