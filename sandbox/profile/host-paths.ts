// Plain reckoning with absolute, normalised paths.
import {join} from 'node:path';

/** Whether `path` is `ancestor` or is below it. */
export function isWithin(path: string, ancestor: string): boolean {
  return path === ancestor || ancestor === '/' || path.startsWith(`${ancestor}/`);
}

/** The path's directories strictly below `ancestor` and strictly above `path`, outermost first. */
export function directoriesBetween(ancestor: string, path: string): readonly string[] {
  const names = path
    .slice(ancestor.length + 1)
    .split('/')
    .slice(0, -1);
  return names.map((_, index) => join(ancestor, ...names.slice(0, index + 1)));
}

/** Segments of an absolute path. */
export function depthOf(path: string): number {
  return path.split('/').filter((name) => name !== '').length;
}
