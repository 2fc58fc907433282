// The protocol between the host and the process or thread of a handler: typed messages over a channel, and frames for
// them if the channel is a byte stream. A stream that violates the format is not resynchronised.
import type {WireMessage} from '@lumenflow/schemas';
import {isWireMessage} from './is-wire-message.ts';

export {isWireMessage} from './is-wire-message.ts';
export {checkExpected, checkStateName, joinLines, noVersion} from './state-rules.ts';

/** One call's conversation. `onMessage` replaces the listener set before. */
export interface Channel {
  send(message: WireMessage): void;
  onMessage(listener: (message: WireMessage) => void): void;
}

/** Bytes of one frame's JSON at most. */
export const frameBytesMax: number = 64 * 1024 * 1024;

const headerBytes = 4;

/**
 * A frame: the length of the JSON as 4 bytes, big-endian, then the JSON as UTF-8.
 * Throws RangeError when the message is larger than `frameBytesMax`.
 */
export function encodeFrame(message: WireMessage): Uint8Array {
  const json = JSON.stringify(message);
  const length = Buffer.byteLength(json);
  if (length > frameBytesMax) {
    throw new RangeError(`a message of ${length} bytes exceeds the bound of ${frameBytesMax} bytes`);
  }
  const frame = Buffer.allocUnsafe(headerBytes + length);
  frame.writeUInt32BE(length);
  frame.write(json, headerBytes);
  return frame;
}

/** A multiple of three bytes, so that the texts of parts join. */
const contentPartBytes = 768 * 1024;

/**
 * The frame of a response with the value `{content_base64}`, in parts that are encoded on demand. Encoding a large content at once
 * would block the event loop for a tenth of a second. Throws RangeError as `encodeFrame` does.
 */
export function encodeContentFrame(id: number, content: Uint8Array): Iterable<Uint8Array> {
  const [head = '', tail = ''] = JSON.stringify({type: 'response', id, value: {content_base64: '|'}}).split('|');
  const length = head.length + Math.ceil(content.length / 3) * 4 + tail.length;
  if (length > frameBytesMax) {
    throw new RangeError(`a message of ${length} bytes exceeds the bound of ${frameBytesMax} bytes`);
  }
  return contentFrameParts(content, {head, tail, length});
}

function* contentFrameParts(
  content: Uint8Array,
  {head, tail, length}: {readonly head: string; readonly tail: string; readonly length: number},
): Generator<Uint8Array> {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(length);
  yield Buffer.concat([header, Buffer.from(head)]);
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  for (let at = 0; at < bytes.length; at += contentPartBytes) {
    yield Buffer.from(bytes.toString('base64', at, at + contentPartBytes), 'latin1');
  }
  yield Buffer.from(tail);
}

export interface FrameDecoderOptions {
  onMessage(message: WireMessage): void;
  /** Called once, with what is wrong; everything after it is ignored. */
  onProblem(problem: string): void;
  /** Default `frameBytesMax`. */
  readonly maxBytes?: number | undefined;
}

/** Takes the stream's chunks in order and returns whole messages; a chunk may contain any part of frames. */
export function createFrameDecoder(options: FrameDecoderOptions): (chunk: Uint8Array) => void {
  const maxBytes = options.maxBytes ?? frameBytesMax;
  let chunks: Uint8Array[] = [];
  let available = 0;
  let needed = headerBytes;
  let inHeader = true;
  let broken = false;

  function take(): Uint8Array {
    const [first] = chunks;
    // Joined once for a frame in many chunks, never again for the frames that share a chunk.
    const all = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    chunks = all.length > needed ? [all.subarray(needed)] : [];
    available = all.length - needed;
    return all.subarray(0, needed);
  }

  function step(): void {
    const part = take();
    if (inHeader) {
      needed = Buffer.from(part).readUInt32BE();
      inHeader = false;
      broken = needed > maxBytes;
      if (broken) options.onProblem(`a frame of ${needed} bytes exceeds the bound of ${maxBytes} bytes`);
      return;
    }
    needed = headerBytes;
    inHeader = true;
    const message = parseMessage(part);
    broken = message === undefined;
    if (message === undefined) options.onProblem('a frame is not a known message in JSON');
    else options.onMessage(message);
  }

  return (chunk) => {
    if (broken) return;
    chunks.push(chunk);
    available += chunk.length;
    while (!broken && available >= needed) step();
    if (broken) chunks = [];
  };
}

function parseMessage(json: Uint8Array): WireMessage | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(json));
    return isWireMessage(value) ? value : undefined;
  } catch {
    // Not UTF-8 or not JSON; to the receiver the same as a message that it does not know.
    return undefined;
  }
}
