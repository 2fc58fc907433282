// A cursor for the tree of a log: of archived lines, the database has the hashes, so that a checkpoint reads nothing of the archive.
import type {LineCursor} from '@lumenflow/kernel/node';
import type {ArchivedLines} from './archived-lines.ts';

const hashesAtOnce = 10_000;
const noBytes = Buffer.alloc(0);

export function createTreeCursor(lines: LineCursor, archived: ArchivedLines): LineCursor {
  let isKnown = false;
  return {
    get position() {
      return lines.position;
    },
    moveTo: (position) => lines.moveTo(position),
    skip: (line, place) => lines.skip(line, place),
    async advance(visit, limit = Number.POSITIVE_INFINITY) {
      if (!isKnown) await archived.refresh();
      isKnown = true;
      let left = limit;
      while (left > 0 && lines.position.seq < archived.through) {
        const {seq} = lines.position;
        const hashes = await archived.hashesAfter(seq, Math.min(left, hashesAtOnce));
        if (hashes.length === 0) break;
        // The cursor may have been moved while hashes were fetched.
        for (const hash of hashes.slice(Math.max(0, lines.position.seq - seq))) {
          const place = {seq: lines.position.seq + 1, hash};
          if (visit(noBytes, place) === false) {
            return {kind: 'wrong', reason: 'is not a line of this log', lineBytes: 0};
          }
          lines.moveTo({seq: place.seq, head: hash});
          left -= 1;
        }
      }
      return left > 0 ? await lines.advance(visit, left) : {kind: 'limit'};
    },
    close: () => lines.close(),
  };
}
