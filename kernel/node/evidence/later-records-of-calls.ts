// Records of calls that began in an older block, gathered while blocks are walked from the newest to the oldest.
import {results, type CallBlock} from './call-block.ts';
import type {RecordLocation} from './record-location.ts';

interface LaterRecords {
  result: number;
  finished: RecordLocation | undefined;
  /** The newest first. */
  readonly progress: RecordLocation[];
}

export class LaterRecordsOfCalls {
  readonly #byKey = new Map<number, LaterRecords>();

  /** Takes in the next older block. */
  take(block: CallBlock): void {
    const keys = block.column('lateKey');
    if (keys.length === 0) return;
    const [result, segment, offset, bytes] = [
      block.column('lateResult'),
      block.column('lateSegment'),
      block.column('lateOffset'),
      block.column('lateBytes'),
    ];
    for (let row = keys.length - 1; row >= 0; row -= 1) {
      const records = this.#of(keys[row] ?? 0);
      const location = {segment: segment[row] ?? 0, offset: offset[row] ?? 0, bytes: bytes[row] ?? 0};
      if (result[row] === results.indexOf('open')) {
        records.progress.push(location);
        continue;
      }
      // The walk goes back in time: the first outcome is the last one met, and it counts.
      records.result = result[row] ?? 0;
      records.finished = location;
    }
  }

  of(key: number): Readonly<LaterRecords> | undefined {
    return this.#byKey.get(key);
  }

  #of(key: number): LaterRecords {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const records: LaterRecords = {result: 0, finished: undefined, progress: []};
    this.#byKey.set(key, records);
    return records;
  }
}
