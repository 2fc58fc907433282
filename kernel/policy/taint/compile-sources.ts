// `true` or globs over tools, of the conditions `tainted` and `carries`.
import type {Globs, TaintSource} from '@lumenflow/schemas';
import {salvageSource} from '../../taint/salvage-source.ts';
import {compileGlobs} from '../compile-globs.ts';
import type {MatcherSite} from '../matcher-site.ts';

/** Whether a source is one of those that the condition names. */
export function compileSources(
  operand: unknown,
  pointer: string,
  site: MatcherSite,
): (source: Pick<TaintSource, 'tool_name'>) => boolean {
  if (operand === true) return () => true;
  const isGlobs = typeof operand === 'string' || Array.isArray(operand);
  if (!isGlobs) return site.reject(pointer, 'POLICY_MATCHER_INVALID', 'write `true`, or globs over tools');
  const globs = compileGlobs(operand as Globs, 'tool', site.compileRegex);
  if (!globs.ok) return site.reject(pointer, 'POLICY_GLOB_INVALID', globs.problem.message, globs.problem.help);
  // Lost facts may be of any tool.
  return ({tool_name}) => tool_name === salvageSource || globs.value(tool_name);
}
