import type {HttpFileDiff} from '@lumenflow/schemas';

/** A changed entry in words: `modify a`, `rename a → b`, `link b from a`. */
export function changedPath({op, path, from}: Pick<HttpFileDiff, 'op' | 'path' | 'from'>): string {
  if (from === undefined) return `${op} ${path}`;
  return op === 'rename' ? `${op} ${from} → ${path}` : `${op} ${path} from ${from}`;
}
