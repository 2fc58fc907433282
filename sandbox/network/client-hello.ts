// Reads the server name out of the first bytes of a TLS connection: RFC 8446 section 4.1.2, RFC 6066 section 3.

export type HelloReading =
  | {readonly kind: 'incomplete'}
  | {readonly kind: 'malformed'}
  /** `serverName`: undefined if the client sends none. `isEncrypted`: a second name may be hidden. */
  | {readonly kind: 'read'; readonly serverName: string | undefined; readonly isEncrypted: boolean};

const malformed = {kind: 'malformed'} as const;
const incomplete = {kind: 'incomplete'} as const;
const handshakeRecord = 22;
const clientHello = 1;
/** RFC 9849, and the draft before it that hid the name alone. */
const encryptedHello: readonly number[] = [0xfe0d, 0xffce];
const helloBytesMax = 64 * 1024;

/** `bytes` begin with a TLS record. */
export function readClientHello(bytes: Buffer): HelloReading {
  const handshake = joinRecords(bytes);
  if (handshake === undefined) return malformed;
  if (handshake.length < 4) return incomplete;
  const length = handshake.readUIntBE(1, 3);
  if (handshake[0] !== clientHello || length > helloBytesMax) return malformed;
  if (handshake.length < 4 + length) return incomplete;
  try {
    return {kind: 'read', ...extensionsOf(handshake.subarray(4, 4 + length))};
  } catch (error) {
    // A length points beyond the end.
    if (error instanceof RangeError) return malformed;
    throw error;
  }
}

/** The handshake bytes of all records so far; a hello may span several records. */
function joinRecords(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] !== handshakeRecord || (bytes[at + 1] ?? 3) !== 3) return undefined;
    if (at + 5 > bytes.length) break;
    const length = bytes.readUInt16BE(at + 3);
    if (length === 0) return undefined;
    parts.push(bytes.subarray(at + 5, at + 5 + length));
    at += 5 + length;
    // What follows a whole hello is not ours to read.
    const first = parts[0];
    const wanted = first !== undefined && first.length >= 4 ? 4 + first.readUIntBE(1, 3) : Infinity;
    if (parts.reduce((sum, part) => sum + part.length, 0) >= wanted) break;
  }
  return Buffer.concat(parts);
}

interface Extensions {
  readonly serverName: string | undefined;
  readonly isEncrypted: boolean;
}

function extensionsOf(hello: Buffer): Extensions {
  let at = 2 + 32;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  if (at === hello.length) return {serverName: undefined, isEncrypted: false};
  const end = at + 2 + hello.readUInt16BE(at);
  if (end !== hello.length) throw new RangeError('the extensions and the hello end at different positions');
  let serverName: string | undefined;
  let isEncrypted = false;
  for (at += 2; at < end;) {
    const length = hello.readUInt16BE(at + 2);
    const kind = hello.readUInt16BE(at);
    if (encryptedHello.includes(kind)) isEncrypted = true;
    if (kind === 0) {
      // With two names, the server could choose either.
      if (serverName !== undefined) throw new RangeError('two server names');
      serverName = nameIn(hello.subarray(at + 4, at + 4 + length));
    }
    at += 4 + length;
  }
  if (at !== end) throw new RangeError('an extension ends beyond the hello');
  return {serverName, isEncrypted};
}

function nameIn(list: Buffer): string {
  const length = list.readUInt16BE(3);
  const isOneHostName =
    list.readUInt8(2) === 0 && list.readUInt16BE(0) === list.length - 2 && length === list.length - 5;
  if (!isOneHostName) throw new RangeError('not a list of one host name');
  return list.toString('latin1', 5);
}
