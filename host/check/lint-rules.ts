// What is wrong with the rules of a workspace that loads, and how many rules and examples it has. `check` and `policy lint` report the same.
import type {PolicyFinding, Problem} from '@lumenflow/kernel';
import {lintPolicies, reviewPolicies} from '@lumenflow/kernel/adapters';
import type {LoadedWorkspace} from '../loading/with-loaded-workspace.ts';
import {counted} from '../text/counted.ts';
import {areaOf} from './check-area.ts';

export interface LintedRules {
  /** For people; undefined if the rules cannot be reviewed. */
  readonly rules: string | undefined;
  /** Beyond the problems of loading. */
  readonly findings: readonly PolicyFinding[];
}

/** Packs' own rules that a stricter one of the workspace covers are not a mistake. */
export function lintRules(
  {source, ports, problems}: Pick<LoadedWorkspace, 'source' | 'ports' | 'problems'>,
  nowMs: number,
): LintedRules {
  // Without a pack its tools are unknown, and rules that do not compile cannot be reviewed. Both are errors already.
  if (problems.some(preventsReview)) return {rules: undefined, findings: []};
  const reviewed = reviewPolicies(source, ports);
  const examples = reviewed.reduce((count, rule) => count + rule.examples.length, 0);
  return {
    rules: `${counted(reviewed.length, 'rule')}, ${counted(examples, 'example')}`,
    findings: lintPolicies(source, ports, nowMs).filter(
      ({layer, rule_id}) => layer !== 'pack' && !problems.some(({code, message}) => isAbout(rule_id, code, message)),
    ),
  };
}

/** An example that fails belongs to a rule that compiles. */
function preventsReview({code, severity}: Problem): boolean {
  const area = areaOf(code);
  return severity === 'error' && code !== 'POLICY_EXAMPLE_FAILED' && (area === 'rules' || area === 'packs');
}

/** A rule that names an unknown tool is idle for that reason, which has a problem of its own. */
function isAbout(ruleId: string, code: string, message: string): boolean {
  return areaOf(code) === 'rules' && code !== 'POLICY_EXAMPLE_FAILED' && message.includes(`rule \`${ruleId}\``);
}
