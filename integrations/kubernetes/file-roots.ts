// The directories of a Pod that its files are unpacked into. The root of a Pod is read-only, so each is a mount.
import {dirname} from 'node:path/posix';

/** Of every image: a mount there would hide it. */
const ofImage: readonly string[] = [
  'bin',
  'dev',
  'etc',
  'lib',
  'lib64',
  'proc',
  'run',
  'sbin',
  'sys',
  'usr',
  'var',
  'opt',
];

/** Absolute paths, none within another. `/tmp` is always a mount. */
export function fileRoots(paths: Iterable<string>): readonly string[] {
  const roots = [...new Set([...paths].map(rootOf))].filter((root) => root !== '/tmp').toSorted();
  return roots.filter((root) => !roots.some((other) => root.startsWith(`${other}/`)));
}

function rootOf(path: string): string {
  const [, first = ''] = path.split('/');
  return ofImage.includes(first) ? dirname(path) : `/${first}`;
}
