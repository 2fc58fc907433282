// One call of a tool that is a program. The whole program is checked against the tools of the workspace before its first call.
import type {DispatchRequest, ToolReach} from '@lumenflow/kernel';
import type {ToolOutput} from '@lumenflow/schemas';
import {failedOutput} from '../../../pool/index.ts';
import {readInputs} from '../checks/check-inputs.ts';
import {checkText} from '../checks/check-text.ts';
import type {ProgramText} from '../document/read-program.ts';
import {executeDocument} from '../interpreter/execute-document.ts';
import {programLimits} from '../interpreter/program-limits.ts';
import {endedAt, type StepEnd} from '../interpreter/step-end.ts';
import {createNestedCalls} from './nested-calls.ts';

export interface ProgramTool {
  readonly text: ProgramText;
  readonly reach: ToolReach;
  readonly timeoutMs: number;
}

export async function runProgramTool(call: DispatchRequest, program: ProgramTool): Promise<ToolOutput> {
  const {text, reach, timeoutMs} = program;
  const {document} = checkText(text, {tools: reach.tools, isTool: true});
  if (!document.ok) return notStarted(document.problem.map(({where, message}) => `${where}: ${message}`));
  const inputs = readInputs(document.value.program, call.input);
  if (!inputs.ok) return notStarted([inputs.problem]);
  const limits = programLimits(document.value.program.limits);
  const late = AbortSignal.timeout(timeoutMs);
  const over = AbortSignal.timeout(limits.wall_time_ms);
  const signal = AbortSignal.any([late, ...(call.signal ? [call.signal] : [])]);
  const {end} = await executeDocument(
    {
      call: createNestedCalls(call, {reach, limits, signal: AbortSignal.any([signal, over])}),
      // The check rejects such a step.
      approval: (_statement, {at}) => Promise.resolve({end: endedAt(at, {code: 'APPROVAL_REQUIRED', message: ''})}),
      beganAt: () => undefined,
      now: Date.now,
      canSleep: true,
    },
    {document: document.value, inputs: inputs.value, limits, signal, over, onStep: () => undefined},
  );
  if (end.type !== 'stopped' || end.state !== 'interrupted') return outputOf(end);
  return late.aborted && call.signal?.aborted !== true
    ? failedOutput('TOOL_TIMEOUT', `the tool did not finish within ${timeoutMs} ms`, {timeout_ms: timeoutMs})
    : failedOutput('TOOL_CANCELLED', 'the call was cancelled');
}

function outputOf(end: StepEnd): ToolOutput {
  if (end.type === 'next') return {success: true, data: null};
  if (end.type === 'returned') return {success: true, data: end.value};
  const {code, message, details, step} = end.failure ?? {
    code: 'TOOL_CANCELLED',
    message: 'the call was cancelled',
    step: '',
  };
  return {success: false, error: {code, message, details: {...details, step}}};
}

function notStarted(lines: readonly string[]): ToolOutput {
  return failedOutput('TOOL_EXECUTION_FAILED', `the program was not started: ${lines.join('; ')}`);
}
