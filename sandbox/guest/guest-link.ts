// The host's end of the stream to a guest: what the guest says, by kind.
import {PassThrough, type Duplex} from 'node:stream';
import {encodeMessage, frameWriterOf, readFrames, type FrameKind, type WriteFrame} from './guest-channel.ts';
import type {GuestMessage, HostMessage} from './guest-messages.ts';

export interface GuestListener {
  message(message: GuestMessage): void;
  content(bytes: Buffer): void;
  /** Resolves once more may come. */
  wire(bytes: Buffer): Promise<void>;
}

export interface GuestLink {
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
  /** Resolves once the stream has ended; with the reason if the guest has violated the protocol. */
  readonly over: Promise<string | undefined>;
  readonly write: WriteFrame;
  say(message: HostMessage): Promise<void>;
}

export function openGuestLink(port: Duplex, listener: GuestListener): GuestLink {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const write = frameWriterOf(port);
  let violation: string | undefined;
  const take = async (kind: FrameKind, payload: Buffer): Promise<void> => {
    switch (kind) {
      case 'message':
        return listener.message(parseMessage(payload));
      case 'content':
        return listener.content(payload);
      case 'wire':
        return await listener.wire(payload);
      case 'stdout':
      case 'stderr':
        return await put(kind === 'stdout' ? stdout : stderr, payload);
      default:
        return kind satisfies never;
    }
  };
  const over = readFrames(port as AsyncIterable<Uint8Array>, (kind, payload) =>
    take(kind, payload).catch((error: unknown) => {
      violation = error instanceof Error ? error.message : String(error);
      throw error;
    }),
  ).then(
    () => undefined,
    // A stream that is cut off has ended like any other.
    (error: unknown) => violation ?? (error instanceof RangeError ? error.message : undefined),
  );
  return {stdout, stderr, over, write, say: async (message) => await write('message', encodeMessage(message))};
}

async function put(stream: PassThrough, bytes: Buffer): Promise<void> {
  // What comes after the end of the guest was known is dropped.
  if (stream.destroyed || stream.writableEnded || stream.write(Buffer.from(bytes))) return;
  await new Promise<void>((resolve) => {
    stream.once('drain', resolve).once('close', resolve);
  });
}

function parseMessage(payload: Buffer): GuestMessage {
  let message: unknown;
  try {
    message = JSON.parse(payload.toString());
  } catch (error) {
    throw new RangeError('it sent a message that is not JSON', {cause: error});
  }
  if (typeof message !== 'object' || message === null) throw new RangeError('it sent a message without a type');
  return message as GuestMessage;
}
