// The outcome of a task transition or an approval, as text and JSON.
import type {TransitionResult} from '@lumenflow/kernel';
import type {CliContext, Outcome} from './command.ts';
import {approveStep} from './rendering/approve-step.ts';
import {commandLine} from './rendering/command-line.ts';
import {cleanLine} from './rendering/clean-text.ts';
import {renderFailure, type FailureAdvice} from './rendering/render-failure.ts';

export interface ShownTransition<T> {
  readonly result: TransitionResult<T>;
  /** The key of the data in the JSON document. */
  readonly key: string;
  /** The message on success. */
  said(data: T): string;
  readonly advice?: FailureAdvice | undefined;
}

export function transitionOutcome<T>(context: CliContext, {result, key, said, advice}: ShownTransition<T>): Outcome {
  const {errorStyle} = context;
  if (result.success) {
    return {data: {[key]: result.data}, note: () => `${errorStyle.good('✔')} ${cleanLine(said(result.data))}`};
  }
  const {error} = result;
  return {data: {}, failure: error, note: () => renderFailure(error, advice ?? adviceOn(context, error), errorStyle)};
}

function adviceOn(
  {workspace}: CliContext,
  error: {readonly code: string; readonly details?: Readonly<Record<string, unknown>>},
): FailureAdvice {
  const request = error.details?.['request_id'];
  if (error.code === 'APPROVAL_REQUIRED' && typeof request === 'string') {
    return {
      next: [
        approveStep({
          to: 'approve it, under a name other than that of the requester',
          request,
          details: error.details,
          workspace,
        }),
        {to: 'then', command: 'repeat this command'},
      ],
    };
  }
  if (error.code === 'TASK_NOT_FOUND')
    return {next: [{to: 'list the tasks', command: commandLine(['task', 'list'], {workspace})}]};
  if (error.code === 'WIP_LIMIT_REACHED') {
    return {
      next: [{to: 'list the active tasks', command: commandLine(['task', 'list'], {state: 'active', workspace})}],
    };
  }
  return {};
}
