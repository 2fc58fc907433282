// What code prints, up to a limit for each stream.
import type {Printed} from './engine-messages.ts';

export class PrintedText {
  readonly #bytesMax: number;
  readonly #streams = {stdout: {parts: [] as string[], bytes: 0}, stderr: {parts: [] as string[], bytes: 0}};
  #truncated = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(name: string, text: string): void {
    const stream = this.#streams[name === 'stderr' ? 'stderr' : 'stdout'];
    const room = this.#bytesMax - stream.bytes;
    const bytes = Buffer.byteLength(text);
    if (bytes > room) this.#truncated = true;
    if (room <= 0) return;
    stream.bytes += bytes;
    stream.parts.push(bytes > room ? cut(text, room) : text);
  }

  text(): Printed {
    const {stdout, stderr} = this.#streams;
    return {stdout: stdout.parts.join(''), stderr: stderr.parts.join(''), truncated: this.#truncated};
  }
}

/** A character that is cut is dropped. */
function cut(text: string, bytes: number): string {
  return new TextDecoder('utf-8').decode(Buffer.from(text).subarray(0, bytes)).replace(/\uFFFD$/u, '');
}
