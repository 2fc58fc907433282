// Converts a code path of a spec to a pattern: a glob of the pack, in which brackets are literal, or a scope of the kernel.
import {ToolError} from '@lumenflow/pack-sdk';
import {expandBraces} from '../files/match-glob.ts';

/** A path that ends with `/` includes everything below it. Throws ToolErrors INVALID_CODE_PATH and INVALID_GLOB. */
export function codePathPattern(path: string): string {
  for (const [found, problem] of unsupported) if (found.test(path)) throw invalid(path, problem);
  const pattern = path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '/**');
  for (const alternative of expandBraces(pattern)) checkPath(path, alternative.split('/'));
  return pattern;
}

/** The kernel's patterns have no escapes, so a bracket becomes `?`. The merge compares with the exact code path. */
export function codePathScope(path: string): string {
  return codePathPattern(path).replaceAll(/[[\]]/g, '?');
}

const unsupported: readonly (readonly [RegExp, string])[] = [
  [/[\p{Cc}\p{Cs}]/u, 'contains a control character'],
  [/\\/u, 'contains a backslash: separate names by `/`; nothing can be escaped'],
  [/^!/u, 'starts with `!`: list only what may be changed'],
  [/[?*+@!]\(/u, 'is an extended glob: write alternatives as `{a,b}`'],
  [/^(?:~(?:\/|$)|[A-Za-z]:)/u, 'is not a path within the repository, relative to its root'],
  [/[^/{},]\*\*|\*\*[^/{},]/u, 'contains `**` as a part of a name: write `*` within a name, or `**` as a whole one'],
];

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
