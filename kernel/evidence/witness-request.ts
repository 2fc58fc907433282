// The body of a request to a C2SP tlog-witness: the size that the witness cosigned last, a proof from there, and a checkpoint.
// https://c2sp.org/tlog-witness.
import {decodeBase64, encodeBase64} from './base64.ts';

/** A proof between two sizes has no more hashes than a size has bits. */
const pathMax = 63;

export interface WitnessRequest {
  readonly oldSize: number;
  /** The consistency proof of RFC 6962, section 2.1.2. */
  readonly path: readonly Uint8Array[];
  /** The signed checkpoint. */
  readonly note: string;
}

export function formatWitnessRequest({oldSize, path, note}: WitnessRequest): string {
  return `old ${oldSize}\n${path.map((hash) => `${encodeBase64(hash)}\n`).join('')}\n${note}`;
}

/** Undefined for any other text. */
export function parseWitnessRequest(body: string): WitnessRequest | undefined {
  const end = body.indexOf('\n\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = body.slice(0, end).split('\n');
  const [, oldSize] = /^old (0|[1-9][0-9]{0,14})$/u.exec(first) ?? [];
  if (oldSize === undefined || lines.length > pathMax) return undefined;
  const path = lines.map(decodeBase64).filter((hash) => hash?.length === 32);
  return path.length === lines.length
    ? {oldSize: Number(oldSize), path: path.filter((hash) => hash !== undefined), note: body.slice(end + 2)}
    : undefined;
}
