// `lumenflow policy test`: tests the examples of all rules, counts rules with examples, and finds rules that can never match.
import type {ReviewedRule} from '@lumenflow/kernel';
import {reviewWorkspacePolicies, type PolicyReview} from '../../policies/review-workspace-policies.ts';
import type {Command, Outcome} from '../command.ts';
import {findWorkspace} from '../lookup/find-workspace.ts';
import {renderReview} from '../rendering/render-review.ts';
import {renderWarnings} from '../rendering/render-warnings.ts';
import {counted} from '../../text/counted.ts';

interface Options {
  readonly strict?: boolean;
}

export const policyTest: Command<Options> = async (context, _args, {strict = false}) => {
  const workspaceRoot = findWorkspace(context);
  const review = await context.spin('loading the workspace', () =>
    reviewWorkspacePolicies({workspaceRoot, env: context.env}),
  );
  const {warnings} = review;
  // Idle rules have their own section below.
  const others = warnings.filter(({code}) => code !== 'POLICY_RULE_WITHOUT_EFFECT');
  if (others.length > 0) context.notify(renderWarnings(others, context.errorStyle));
  return {...outcomeOf(review, strict), text: () => renderReview(review.rules, context.style)};
};

function outcomeOf({rules, warnings}: PolicyReview, strict: boolean): Outcome {
  const summary = summarize(rules);
  const data = {rules, summary, warnings};
  const {examples_failed, idle} = summary;
  const slips = warnings.filter(({code}) => strictCodes.test(code)).length;
  const message = [
    ...(examples_failed > 0 ? [`${counted(examples_failed, 'example')} failed`] : []),
    ...(strict && idle > 0 ? [`${counted(idle, 'rule')} can never match`] : []),
    ...(strict && slips > 0 ? [`${counted(slips, 'warning')} about rules and scopes`] : []),
  ].join(', ');
  return message === '' ? {data} : {data, failure: {code: 'POLICY_TEST_FAILED', message}};
}

/** Warnings about rules and scopes of the workspace. Idle rules are counted separately. */
const strictCodes = /^(?:POLICY_(?!RULE_WITHOUT_EFFECT)|SCOPE_|DENY_OVERLAY_)/u;

function summarize(rules: readonly ReviewedRule[]) {
  const examples = rules.flatMap((rule) => rule.examples);
  return {
    rules: rules.length,
    without_examples: rules.filter(({form, examples: own}) => form === 'matcher' && own.length === 0).length,
    functions: rules.filter(({form}) => form === 'function').length,
    idle: rules.filter(({idle}) => idle).length,
    examples_held: examples.filter(({holds}) => holds).length,
    examples_failed: examples.filter(({holds}) => !holds).length,
  };
}
