// Keeps the beginning of a stream, up to a number of bytes. What comes after is read, so that the
// writer does not block, and dropped at once, so that it costs no memory.
import type {Readable} from 'node:stream';

export interface BoundedOutput {
  readonly text: string;
  readonly truncated: boolean;
}

/** Call the result to get the output so far. Once `until` aborts, the stream belongs to another reader. */
export function captureOutput(stream: Readable, maxBytes: number, until?: AbortSignal): () => BoundedOutput {
  const kept: Uint8Array[] = [];
  let left = maxBytes;
  let truncated = false;
  const onData = (chunk: Uint8Array): void => {
    if (chunk.length > left) truncated = true;
    if (left <= 0) return;
    // A copy: a slice would keep the whole of the stream's buffer alive.
    kept.push(chunk.length > left ? Uint8Array.prototype.slice.call(chunk, 0, left) : chunk);
    left -= Math.min(left, chunk.length);
  };
  // A broken pipe ends the capture; the output so far remains.
  const onError = (): void => void stream.destroy();
  stream.on('data', onData).on('error', onError);
  until?.addEventListener('abort', () => void stream.off('data', onData).off('error', onError), {once: true});
  return () => ({text: decode(kept, truncated), truncated});
}

function decode(chunks: readonly Uint8Array[], truncated: boolean): string {
  // In stream mode a character cut in two by the bound is left out.
  return new TextDecoder().decode(Buffer.concat(chunks), {stream: truncated});
}
