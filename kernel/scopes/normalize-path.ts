// The canonical form of a path below the workspace root, from its text alone. A caller that checks a path must open the result, not the
// original: they differ for `a/../b` if `a` is a symlink.

/** Characters at most; the system refuses longer paths. */
export const pathLengthMax = 4096;

/**
 * Returns the path relative to the workspace root, `.` for the root itself. Undefined for a text that is empty or overlong, absolute,
 * outside the root, or with NUL, a backslash, a drive letter or half a character.
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
