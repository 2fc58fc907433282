// Makes lines of records that go to the log together: each is chained to the one before it.
import type {LineLocation} from './log-cursor.ts';
import {formatLine, hashOfLine} from './log-line.ts';
import type {LogPosition} from './log-position.ts';

const newline = 0x0a;
/** Of one UTF-16 unit. */
const utf8BytesMax = 3;
/** Room that is kept for the next group. */
const keptBytes = 256 * 1024;

export interface ChainedLines {
  /** Good until the next group. */
  readonly bytes: Buffer;
  /** Where each line begins. */
  readonly places: readonly LineLocation[];
}

export class LineChain {
  /** One for all groups: a buffer for each is a burden on the collector. */
  #bytes = Buffer.allocUnsafe(keptBytes);

  /** The bodies as lines that follow on a position. */
  lines(bodies: readonly string[], {segment, offset, ...last}: LogPosition): ChainedLines {
    if (this.#bytes.length > keptBytes) this.#bytes = Buffer.allocUnsafe(keptBytes);
    let {seq, head} = last;
    let end = 0;
    const places = bodies.map((body) => {
      seq += 1;
      const start = end;
      end = this.#write(formatLine(seq, head, body), start);
      head = hashOfLine(this.#bytes.subarray(start, end - 1));
      return {seq, segment, offset: offset + start, hash: head};
    });
    return {bytes: this.#bytes.subarray(0, end), places};
  }

  /** Gives where the next line begins. */
  #write(line: string, start: number): number {
    const size = start + line.length * utf8BytesMax + 1;
    if (size > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(size, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, start));
      this.#bytes = larger;
    }
    const end = start + this.#bytes.write(line, start);
    this.#bytes[end] = newline;
    return end + 1;
  }
}
