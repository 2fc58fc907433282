// Where the tree of a log was at its newest checkpoint, so that the next one need not read the log from its beginning.
// It is disposable: what is missing, stale, damaged or not what the checkpoint signed is not used.
import {decodeHex, encodeHex, type CompactRange} from '@lumenflow/kernel/adapters';
import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {sha256Hex} from '../system/sha256.ts';
import type {LinePosition} from '../log/line-cursor.ts';

export interface Frontier<Position extends LinePosition = LinePosition> {
  readonly position: Position;
  readonly range: CompactRange;
  /** A companion that is built from the same lines, as JSON. Its builder validates it. */
  readonly companion?: unknown;
  /** The tree's hashes that are in no full tile yet, likewise. */
  readonly tiles?: unknown;
}

export function writeFrontier(path: string, {position, range, companion, tiles}: Frontier, owner: string): void {
  mkdirSync(dirname(path), {recursive: true, mode: 0o700});
  const temporary = `${path}.${owner}`;
  const text = JSON.stringify({position, hashes: range.hashes.map(encodeHex), companion, tiles});
  writeFileSync(temporary, `${text}\n${sha256Hex(text)}\n`, {mode: 0o600});
  renameSync(temporary, path);
}

type ParsePosition<Position> = (value: unknown) => Position | undefined;

export function readFrontier<Position extends LinePosition>(
  path: string,
  parsePosition: ParsePosition<Position>,
): Frontier<Position> | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const [json = '', hash] = text.split('\n');
  return hash === sha256Hex(json) ? parseFrontier(json, parsePosition) : undefined;
}

function parseFrontier<Position extends LinePosition>(
  text: string,
  parsePosition: ParsePosition<Position>,
): Frontier<Position> | undefined {
  let value: {position?: unknown; hashes?: unknown; companion?: unknown; tiles?: unknown} | null;
  try {
    value = JSON.parse(text) as typeof value;
  } catch {
    // A disposable file that is not JSON counts as missing.
    return undefined;
  }
  const position = parsePosition(value?.position);
  const hashes = Array.isArray(value?.hashes) ? value.hashes.map((hash) => decodeHex(String(hash))) : [];
  if (position === undefined) return undefined;
  const whole = hashes.flatMap((hash) => (hash?.length === 32 ? [hash] : []));
  return whole.length === hashes.length
    ? {
        position,
        range: {size: position.seq, hashes: whole},
        companion: value?.companion,
        tiles: value?.tiles,
      }
    : undefined;
}
