// The protocol between the host and the process or thread of a handler: typed messages over a channel, and frames for
// them if the channel is a byte stream. A stream that violates the format is not resynchronised.
import type {WireMessage} from '@lumenflow/schemas';
import {outputBounds} from '@lumenflow/schemas/output-bounds';
import {isWireMessage} from './is-wire-message.ts';
import {createStructureCount, type StructureBounds} from './structure-count.ts';

export {isWireMessage} from './is-wire-message.ts';
export {checkExpected, checkStateName, joinLines, noVersion} from './state-rules.ts';

/** One call's conversation. `onMessage` replaces the listener set before. */
export interface Channel {
  send(message: WireMessage): void;
  onMessage(listener: (message: WireMessage) => void): void;
}

/** Bytes of one frame's JSON at most. */
export const frameBytesMax: number = 64 * 1024 * 1024;

/** What a message around an output adds to it is far less. */
const aroundOutput = 1_000;

/** Of each message from the process of a handler, which is not trusted: what an output may contain, and the message around it. */
export const messageBounds: StructureBounds = {
  values: outputBounds.values + aroundOutput,
  names: outputBounds.names + aroundOutput,
};

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
  /** Called once, with what is wrong; everything after it is ignored. `exceeded`: which of `bounds`. */
  onProblem(problem: string, exceeded?: keyof StructureBounds): void;
  /** Default `frameBytesMax`. */
  readonly maxBytes?: number | undefined;
  /** Of each message, checked while it arrives. Default: none. */
  readonly bounds?: StructureBounds | undefined;
}

/** Takes the stream's chunks in order and returns whole messages; a chunk may contain any part of frames. */
export function createFrameDecoder(options: FrameDecoderOptions): (chunk: Uint8Array) => void {
  const maxBytes = options.maxBytes ?? frameBytesMax;
  let chunks: Uint8Array[] = [];
  let available = 0;
  let needed = headerBytes;
  let inHeader = true;
  let broken = false;
  let count = options.bounds && createStructureCount(options.bounds);
  let uncounted = 0;

  function countStructure(bytes: Uint8Array | undefined): void {
    if (count === undefined || bytes === undefined) return;
    const exceeded = count.add(bytes.subarray(0, uncounted));
    uncounted -= Math.min(uncounted, bytes.length);
    if (exceeded === undefined) return;
    broken = true;
    options.onProblem(`a message contains more than ${options.bounds?.[exceeded]} ${exceeded}`, exceeded);
  }

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
      if (broken) return options.onProblem(`a frame of ${needed} bytes exceeds the bound of ${maxBytes} bytes`);
      count = options.bounds && createStructureCount(options.bounds);
      uncounted = needed;
      return countStructure(chunks[0]);
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
    if (!inHeader) countStructure(chunk);
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
