// Names of published files, as C2SP tlog-tiles has them (https://c2sp.org/tlog-tiles).
import {tileHashes} from '../signed-log/tile-file.ts';

export interface PublishedTile {
  /** Of the tree's hashes from the leaves up, or the entries themselves. */
  readonly level: number | 'entries';
  readonly index: number;
  /** Hashes or entries in it: 1 to 256. */
  readonly width: number;
}

/** Relative to the folder of the log, with slashes. */
export function tilePath({level, index, width}: PublishedTile): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const elements = padded.match(/[0-9]{3}/gu) ?? [];
  const name = elements.map((element, at) => (at < elements.length - 1 ? `x${element}` : element)).join('/');
  return `tile/${level}/${name}${width < tileHashes ? `.p/${width}` : ''}`;
}
