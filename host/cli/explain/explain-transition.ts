// Explains the decision about the claim or completion of a task, as a command's outcome.
import type {KernelRuntime, SupposedTransition, TransitionExplanation} from '@lumenflow/kernel';
import type {CliContext, Outcome} from '../command.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFailure} from '../rendering/render-failure.ts';
import type {Style} from '../rendering/style.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {renderPolicy} from './render-policy.ts';

export async function explainTransition(
  context: CliContext,
  runtime: KernelRuntime,
  supposed: SupposedTransition,
): Promise<Outcome> {
  const explained = await runtime.explainTransition(supposed);
  if (!explained.success) return transitionOutcome(context, {result: explained, key: 'explanation', said: () => ''});
  return {data: {explanation: explained.data}, text: () => render(explained.data, context.style)};
}

function render(explanation: TransitionExplanation, style: Style): string {
  const {failure, policy, check} = explanation;
  return [
    headline(explanation, style),
    ...(failure ? [renderFailure(failure, {}, style)] : []),
    ...(check === undefined ? [] : [`  first ${style.accent(cleanText(check))} is called and must allow it`]),
    ...renderPolicy(policy, style),
    '',
    style.dim('nothing was changed'),
  ].join('\n');
}

function headline({kind, task_id, decision, failure}: TransitionExplanation, style: Style): string {
  const what = style.bold(cleanText(`${kind} of ${task_id}`));
  if (decision === 'deny') return `${style.bad('✘ denied')}  ${what}`;
  if (failure) return `${style.bad('✘ not possible now')}  ${what}`;
  return decision === 'allow'
    ? `${style.good('✔ allowed')}  ${what}`
    : `${style.warning('● waits for approval')}  ${what}`;
}
