// Counts values and names in JSON text while its bytes arrive. Parsing a frame of empty lists at the bound of a frame would block the event loop
// for ten seconds; counted first, such a frame is rejected before it is complete.

export interface StructureBounds {
  /** Items of lists and properties. */
  readonly values: number;
  readonly names: number;
}

export interface StructureCount {
  /** Takes the next bytes of the text. Returns the bound that the text exceeds. Text that is not JSON has any count. */
  add(bytes: Uint8Array): keyof StructureBounds | undefined;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
/** `[` and `]` are these without the bit by which `{` and `}` differ. */
const [open, close, braceBit] = [0x5b, 0x5d, 0x20];

export function createStructureCount({values, names}: StructureBounds): StructureCount {
  let valuesLeft = values;
  let namesLeft = names;
  let isInText = false;
  let isEscaped = false;
  /** Whether the byte before opened a list or an object. */
  let isOpened = false;

  function countOutsideText(byte: number): void {
    const bracket = byte & ~braceBit;
    // A container that is not empty has one value more than commas.
    if (isOpened && bracket !== close) valuesLeft -= 1;
    isOpened = bracket === open;
    if (byte === comma) valuesLeft -= 1;
    else if (byte === colon) namesLeft -= 1;
    else if (byte === quote) isInText = true;
  }

  /** Returns where the text ends, or the bytes do. */
  function skipText(bytes: Uint8Array, from: number): number {
    let at = isEscaped ? from + 1 : from;
    isEscaped = false;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === backslash) at += 1;
      else if (byte === quote) {
        isInText = false;
        return at + 1;
      }
    }
    isEscaped = at > bytes.length;
    return bytes.length;
  }

  return {
    add(bytes) {
      for (let at = 0; at < bytes.length;) {
        if (isInText) at = skipText(bytes, at);
        else countOutsideText(bytes[at++] ?? 0);
      }
      if (valuesLeft < 0) return 'values';
      return namesLeft < 0 ? 'names' : undefined;
    },
  };
}
