// Finds the end of an HTTP/1 request's body, where the next request begins: RFC 9112 sections 6 and 7.

/** In bytes. */
export type BodyLength = number | 'chunked';

export interface RequestBody {
  /** The number of leading bytes that belong to the body, and whether it ends with them. Pass the rest again, with more. */
  take(bytes: Buffer): BodyPart;
}

export type BodyPart =
  | {readonly kind: 'part'; readonly bytes: number; readonly ended: boolean}
  | {readonly kind: 'malformed'; readonly problem: string};

/** Of a line between chunks. */
const lineBytesMax = 8 * 1024;
const sizeLine = /^([0-9a-f]{1,12})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;
const trailerLine = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+:[\t\x20-\x7e\x80-\xff]*$/;
const malformed: BodyPart = {kind: 'malformed', problem: 'the end of its body is ambiguous'};

export function createRequestBody(length: BodyLength): RequestBody {
  return length === 'chunked' ? chunkedBody() : plainBody(length);
}

function plainBody(length: number): RequestBody {
  let left = length;
  return {
    take(bytes) {
      const taken = Math.min(left, bytes.length);
      left -= taken;
      return {kind: 'part', bytes: taken, ended: left === 0};
    },
  };
}

function chunkedBody(): RequestBody {
  let next: 'size' | 'data' | 'data_end' | 'trailer' = 'size';
  let left = 0;

  /** Whether the line is the one expected here. */
  function takeLine(line: string): boolean {
    if (next === 'data_end') {
      next = 'size';
      return line === '';
    }
    if (next === 'trailer') return trailerLine.test(line);
    const size = sizeLine.exec(line)?.[1];
    if (size === undefined) return false;
    left = Number.parseInt(size, 16);
    next = left === 0 ? 'trailer' : 'data';
    return true;
  }

  return {
    take(bytes) {
      let at = 0;
      while (at < bytes.length) {
        if (next === 'data') {
          const taken = Math.min(left, bytes.length - at);
          at += taken;
          left -= taken;
          if (left === 0) next = 'data_end';
          continue;
        }
        const end = bytes.indexOf('\n', at);
        if (end < 0) return bytes.length - at > lineBytesMax ? malformed : {kind: 'part', bytes: at, ended: false};
        // Some servers accept a bare line feed as the end of a line, and some do not.
        if (bytes[end - 1] !== 0x0d || end === at) return malformed;
        const line = bytes.toString('latin1', at, end - 1);
        at = end + 1;
        if (next === 'trailer' && line === '') return {kind: 'part', bytes: at, ended: true};
        if (!takeLine(line)) return malformed;
      }
      return {kind: 'part', bytes: at, ended: false};
    },
  };
}
