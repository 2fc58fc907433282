// The contents in a pack, in order.
import {sha256Hex} from '../system/sha256.ts';
import {parsePackHeader} from './blob-ref.ts';

export interface PackFrame {
  /** SHA-256 of the content, as its header says; a shredded one has zeros instead. */
  readonly hash: string;
  readonly offset: number;
  readonly length: number;
}

export function* packFrames(pack: Buffer): Generator<PackFrame, void> {
  let at: number | undefined = 0;
  while (at !== undefined && at < pack.length) {
    const header = parsePackHeader(pack, at);
    if (header === undefined) {
      at = frameAfterHole(pack, at);
      continue;
    }
    const offset: number = at + header.bytes;
    yield {hash: header.hash, offset, length: header.length};
    at = offset + header.length + 1;
  }
}

/** Whether every content of a pack was overwritten with zeros. */
export function isShreddedPack(pack: Buffer): boolean {
  for (const {offset, length} of packFrames(pack)) {
    if (pack.subarray(offset, offset + length).some((byte) => byte !== 0)) return false;
  }
  return true;
}

/** A crash may leave zeros in the middle of a pack. A blob after them counts if it matches its header. */
function frameAfterHole(pack: Buffer, from: number): number | undefined {
  const rest = pack.toString('latin1', from);
  for (const {index} of rest.matchAll(/[0-9a-f]{64} [0-9]{1,9}\n/gu)) {
    const at = from + index;
    const header = parsePackHeader(pack, at);
    const offset = at + (header?.bytes ?? 0);
    if (header?.hash === sha256Hex(pack.subarray(offset, offset + (header?.length ?? 0)))) return at;
  }
  return undefined;
}
