// Formats a record as a line. `seq` and `prev` come first in a fixed format, so that a line's place in the chain can be read without
// parsing the rest.
import {sha256Hex} from '../system/sha256.ts';

/** `prev` of the first line. */
export const noLine: string = '0'.repeat(64);

/** `body` is the record's JSON text, an object without `seq` and `prev`. */
export function formatLine(seq: number, prev: string, body: string): string {
  return `{"seq":${seq},"prev":"${prev}"${body === '{}' ? '}' : `,${body.slice(1)}`}`;
}

const prefix = /^\{"seq":([1-9][0-9]{0,15}),"prev":"([0-9a-f]{64})"[,}]/u;

/** A line's location in the chain; undefined when it does not begin as lines do. */
export function readChainLink(line: Buffer): {readonly seq: number; readonly prev: string} | undefined {
  const [, seq, prev] = prefix.exec(line.toString('latin1', 0, 120)) ?? [];
  return seq === undefined || prev === undefined ? undefined : {seq: Number(seq), prev};
}

/** What the next line's `prev` must be. */
export function hashOfLine(line: string | Uint8Array): string {
  return sha256Hex(line);
}

/** Of a line that continues the chain and has another form. */
export const notOfThisVersion =
  'is not a valid record of this version: if a newer version of LumenFlow wrote it, use that version';
