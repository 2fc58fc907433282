// The memory of a module, as the functions that it imports see it. Each pointer comes from the module, so each is checked.
import {GuestFault} from './guest-end.ts';
import type {WasmMemory} from './web-assembly.ts';

/** From a module a number of any type may come; a BigInt or a reference is not a pointer. */
export type FromGuest = unknown;

/** Longer texts would take minutes to parse, and nothing can interrupt a parser. */
export const textBytesMax: number = 16 * 1024 * 1024;

export class GuestMemory {
  readonly #memory: WasmMemory;

  constructor(memory: WasmMemory) {
    this.#memory = memory;
  }

  get size(): number {
    return this.#memory.buffer.byteLength;
  }

  /** A view: the module changes it, and loses it when its memory grows. Throws GuestFault if it is not within the memory. */
  bytes(pointer: FromGuest, length: FromGuest): Uint8Array {
    const [start, size] = [toUnsigned(pointer), toUnsigned(length)];
    if (start + size > this.size) {
      throw new GuestFault(`it passed ${size} bytes at ${start}, which is outside its memory of ${this.size} bytes`);
    }
    return new Uint8Array(this.#memory.buffer, start, size);
  }

  /** Throws GuestFault for a text that is too long. */
  text(pointer: FromGuest, length: FromGuest): string {
    const bytes = this.bytes(pointer, length);
    if (bytes.length > textBytesMax) {
      throw new GuestFault(
        `it passed a text of ${bytes.length} bytes: the most that the host accepts is ${textBytesMax}`,
      );
    }
    // A byte order mark is part of the text.
    return new TextDecoder('utf-8', {ignoreBOM: true}).decode(bytes);
  }

  view(pointer: FromGuest, length: number): DataView {
    const {buffer, byteOffset} = this.bytes(pointer, length);
    return new DataView(buffer, byteOffset, length);
  }

  write(pointer: FromGuest, content: Uint8Array): void {
    this.bytes(pointer, content.length).set(content);
  }

  writeUint32(pointer: FromGuest, value: number): void {
    this.view(pointer, 4).setUint32(0, value, true);
  }

  writeUint64(pointer: FromGuest, value: bigint): void {
    this.view(pointer, 8).setBigUint64(0, value, true);
  }
}

export function toUnsigned(value: FromGuest): number {
  if (typeof value === 'number') return value >>> 0;
  throw new GuestFault('it passed a value that is not a 32-bit integer');
}
