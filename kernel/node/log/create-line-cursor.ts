// A cursor for stores that can return lines by their sequence number.
import {isKernelError} from '@lumenflow/kernel';
import type {MaybePromise} from '@lumenflow/kernel/adapters';
import {sha256Hex} from '../system/sha256.ts';
import type {CursorStop, LineCursor, LinePosition} from './line-cursor.ts';
import {noLine, notOfThisVersion, readChainLink} from './log-line.ts';

/**
 * Lines after `seq` in order, without newlines: at most `limit`, and at least one if there is one. What is stored but damaged is rejected
 * with KernelError LOG_CORRUPT.
 */
export type FetchLines = (seq: number, limit: number) => MaybePromise<readonly string[]>;

const linesPerFetch = 1_000;

export function createLineCursor(fetch: FetchLines, from?: LinePosition): LineCursor {
  let position: LinePosition = from ?? {seq: 0, head: noLine};
  return {
    get position() {
      return position;
    },
    moveTo(to) {
      position = to;
    },
    skip(_line, {seq, hash}) {
      position = {seq, head: hash};
    },
    async advance(visit, limit = Number.POSITIVE_INFINITY): Promise<CursorStop> {
      for (let left = limit; left > 0;) {
        const {seq} = position;
        const lines = await fetched(fetch, seq, Math.min(left, linesPerFetch));
        if (typeof lines === 'string') return {kind: 'wrong', reason: `cannot be read: ${lines}`, lineBytes: 0};
        if (lines.length === 0) return {kind: 'end'};
        // The cursor may have been moved while lines were fetched.
        for (const text of lines.slice(Math.max(0, position.seq - seq))) {
          const line = Buffer.from(text);
          const hash = sha256Hex(line);
          const wrong = wrongLink(line, position);
          const reason = wrong ?? (visit(line, {seq: position.seq + 1, hash}) === false ? notOfThisVersion : undefined);
          if (reason !== undefined) return {kind: 'wrong', reason, lineBytes: line.length + 1};
          position = {seq: position.seq + 1, head: hash};
          left -= 1;
        }
      }
      return {kind: 'limit'};
    },
    close: () => undefined,
  };
}

/** Or why they cannot be read. */
async function fetched(fetch: FetchLines, seq: number, limit: number): Promise<readonly string[] | string> {
  try {
    return await fetch(seq, limit);
  } catch (error) {
    if (isKernelError(error) && error.code === 'LOG_CORRUPT') return error.message;
    throw error;
  }
}

function wrongLink(line: Buffer, {seq, head}: LinePosition): string | undefined {
  const link = readChainLink(line);
  if (link === undefined) return 'is not a line of this log';
  if (link.seq !== seq + 1) return `has seq ${link.seq} where ${seq + 1} was due`;
  return link.prev === head ? undefined : 'does not continue the chain: its `prev` is not the hash of the line before';
}
