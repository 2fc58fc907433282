// Paths in manifests: relative to the pack's folder, and never outside of it.

/** Without `.` and `..`; undefined when it leads out of the pack. */
export function packPath(path: string): string | undefined {
  if (path.startsWith('/') || /^[A-Za-z]:/u.test(path)) return undefined;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  return parts.join('/');
}
