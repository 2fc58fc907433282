// How a spec writes its code paths, made the pattern of a scope.
import {ToolError} from '@lumenflow/pack-sdk';

/** A path that ends with `/` means all below it. Throws ToolError INVALID_CODE_PATH for one that leaves the repository. */
export function codePathPattern(path: string): string {
  const pattern = path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '/**');
  const segments = pattern.split('/');
  const [top] = segments;
  if (top === '' || segments.includes('..') || segments.includes('') || segments.includes('.')) {
    throw invalid(path, 'is no path within the repository, relative to its root');
  }
  if (top === '.git' || top === '.lumenflow') throw invalid(path, "is not a work unit's to change");
  return pattern;
}

function invalid(path: string, problem: string): ToolError {
  return new ToolError('INVALID_CODE_PATH', `the code path \`${path}\` ${problem}`, {path});
}
