// Why a text cannot be a path of the workspace, for its author.
import {normalizePath, pathLengthMax} from './normalize-path.ts';

/** Undefined for a path that `normalizePath` accepts. */
export function pathProblem(path: string): string | undefined {
  if (normalizePath(path) !== undefined) return undefined;
  if (path === '') return 'is empty: write `.` for the workspace root';
  if (path.length > pathLengthMax) return `is longer than ${pathLengthMax} characters`;
  if (path.startsWith('/') || /^[A-Za-z]:/u.test(path)) {
    return 'is absolute: write it relative to the workspace root, without a leading `/` or a drive letter';
  }
  if (path.includes('\\')) return 'contains a backslash: separate directories with `/`';
  if (path.includes('\0')) return 'contains a NUL character';
  if (/\p{Cs}/u.test(path)) return 'contains half of a surrogate pair';
  return 'leads outside the workspace';
}
