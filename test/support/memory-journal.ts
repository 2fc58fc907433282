// Chained lines in memory: what the memory adapters of one workspace share, as real ones share a folder.
import {sha256Hex} from '@lumenflow/kernel/node';

export interface MemoryJournal<Entry> {
  readonly entries: readonly Entry[];
  readonly lines: readonly string[];
  /** Keeps copies, each completed with its place in the chain, and gives them. */
  append(bodies: readonly object[]): readonly Entry[];
}

export const noLine: string = '0'.repeat(64);

export function createMemoryJournal<Entry>(): MemoryJournal<Entry> {
  const entries: Entry[] = [];
  const lines: string[] = [];
  return {
    entries,
    lines,
    append(bodies) {
      const from = entries.length;
      for (const body of bodies) {
        const last = lines.at(-1);
        const prev = last === undefined ? noLine : sha256Hex(last);
        const line = JSON.stringify({seq: lines.length + 1, prev, ...body});
        lines.push(line);
        entries.push(JSON.parse(line) as Entry);
      }
      return entries.slice(from);
    },
  };
}
