// One form for all notations of a name that some file system treats as equal: without case, compatibility forms and invisible
// characters.
import {pathPattern} from './path-pattern.ts';
import type {PathPattern} from './path-pattern.ts';

export function foldPattern(pattern: PathPattern): PathPattern {
  return pathPattern(pattern.segments.map(foldPath));
}

export function foldPath(text: string): string {
  if (isAscii(text)) return text.toUpperCase();
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .normalize('NFKC');
}

export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
