// A path as people read it: a name that could pass for another one, or for two lines, is quoted and escaped.
import {showControls} from '../text/show-controls.ts';

export function pathText(path: string): string {
  const escaped = showControls(path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
  const isPlain = escaped.replaceAll('\\\\', '\\') === path && !/^["\s]|\s$| → | from /u.test(path);
  return isPlain ? path : `"${escaped.replaceAll('"', String.raw`\"`)}"`;
}
