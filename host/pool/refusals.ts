// Answers for calls that are rejected before they begin.
import type {ToolOutput} from '@lumenflow/schemas';
import {failedOutput} from './failed-output.ts';

export function busy(why: string): ToolOutput {
  return failedOutput('LIMIT_EXCEEDED', `the host is busy: ${why}`, {retryable: true});
}

export function queueFull(waiting: number): ToolOutput {
  return busy(`${waiting} calls are waiting already`);
}

export function cancelledBeforeStart(): ToolOutput {
  return failedOutput('TOOL_CANCELLED', 'the call was cancelled before it started');
}

export function hostClosing(): ToolOutput {
  return failedOutput('TOOL_CANCELLED', 'the host is closing');
}
