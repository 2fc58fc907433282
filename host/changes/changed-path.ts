import type {HttpFileDiff} from '@lumenflow/schemas';
import {pathText} from './path-text.ts';

/** A changed entry in words: `modify a`, `rename a → b`, `link b from a`. */
export function changedPath({op, path, from}: Pick<HttpFileDiff, 'op' | 'path' | 'from'>): string {
  const named = pathText(path);
  if (from === undefined) return `${op} ${named}`;
  return op === 'rename' ? `${op} ${pathText(from)} → ${named}` : `${op} ${named} from ${pathText(from)}`;
}
