// Converts a code path of a spec to a scope pattern.
import {ToolError} from '@lumenflow/pack-sdk';
import {expandBraces} from '../files/match-glob.ts';

/** A path that ends with `/` includes everything below it. Throws ToolErrors INVALID_CODE_PATH and INVALID_GLOB. */
export function codePathPattern(path: string): string {
  const pattern = path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '/**');
  for (const alternative of expandBraces(pattern)) checkPath(path, alternative.split('/'));
  return pattern;
}

function checkPath(path: string, segments: readonly string[]): void {
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw invalid(path, 'is not a path within the repository, relative to its root');
  }
  if (segments.includes('.git') || segments[0] === '.lumenflow')
    throw invalid(path, 'is reserved: a work unit must not change it');
}

function invalid(path: string, problem: string): ToolError {
  return new ToolError('INVALID_CODE_PATH', `the code path \`${path}\` ${problem}`, {path});
}
