// The one spelling of a path below the workspace root, found from its text alone. A caller that checks a path
// opens what this gives, not what it was handed: `a/../b` and a symlink `a` would part ways otherwise.

/** Characters at most; the system refuses longer paths. */
export const pathLengthMax = 4096;

/**
 * Gives the path relative to the workspace root, `.` for the root itself. Undefined for what cannot be such a path:
 * empty or overlong, absolute, leading out of the root, with NUL, a backslash, a drive letter or half a character.
 */
export function normalizePath(path: string): string | undefined {
  if (path === '' || path.length > pathLengthMax || /^\/|^[A-Za-z]:|[\0\\]|\p{Cs}/u.test(path)) return undefined;
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.length === 0 ? '.' : segments.join('/');
}

/** The segments of a path that `normalizePath` gave; none for the root. */
export function segmentsOf(normalized: string): readonly string[] {
  return normalized === '.' ? [] : normalized.split('/');
}
