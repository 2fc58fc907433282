// Counts what a JSON text contains before it is parsed, because parsing cannot be interrupted: a million names of properties would occupy the
// event loop for a second. The text need not be valid.
import {setImmediate as nextTurn} from 'node:timers/promises';

export interface JsonCounts {
  readonly values: number;
  /** Of properties. */
  readonly names: number;
}

/** About a millisecond. */
const bytesPerTurn = 512 * 1024;
/** A text of this size cannot exceed a bound by much: parsing it takes a millisecond. */
const bytesUncounted = 64 * 1024;

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Which of the bounds a text exceeds; undefined if none. Others get their turn in between. */
export async function exceededBound(bytes: Buffer, bounds: JsonCounts): Promise<keyof JsonCounts | undefined> {
  if (bytes.length <= bytesUncounted) return undefined;
  let [values, names, at] = [1, 0, 0];
  while (at < bytes.length) {
    const end = Math.min(bytes.length, at + bytesPerTurn);
    while (at < end) {
      const byte = bytes[at];
      if (byte === quote) at = endOfString(bytes, at);
      else if (byte === colon) names += 1;
      else if (byte === comma || (isOpening(byte) && !isClosing(bytes[at + 1]))) values += 1;
      at += 1;
    }
    if (names > bounds.names) return 'names';
    if (values > bounds.values) return 'values';
    await nextTurn();
  }
  return undefined;
}

function isOpening(byte: number | undefined): boolean {
  return byte === openArray || byte === openObject;
}

/** After an opening one: the container is empty. */
function isClosing(byte: number | undefined): boolean {
  return byte === closeArray || byte === closeObject;
}

/** The position of the quote that ends the string, or the end of the text. */
function endOfString(bytes: Buffer, start: number): number {
  let end = start;
  do {
    end = bytes.indexOf(quote, end + 1);
    if (end < 0) return bytes.length;
  } while (isEscaped(bytes, end));
  return end;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let first = at;
  while (bytes[first - 1] === backslash) first -= 1;
  return (at - first) % 2 === 1;
}
