// The calls of a program that is a tool. They are judged as those of a run are, but nothing outlives the tool's call: what waits
// for a person ends the program, and no `catch` handles it.
import type {DispatchRequest, ToolReach} from '@lumenflow/kernel';
import type {ProgramLimits, ToolFailure} from '@lumenflow/schemas';
import {plainValue} from '../../plain-value.ts';
import {isRepeatable} from '../../../dispatch/is-repeatable.ts';
import type {CallEnd, ExecutionPorts} from '../interpreter/program-execution.ts';
import {endedAt} from '../interpreter/step-end.ts';
import {attemptOfOutput, type CallAttempt} from '../runs/call-attempt.ts';
import {createCallGate} from '../../../jobs/call-gate.ts';
import {judgeAttempts} from '../runs/judge-attempts.ts';
import {tooManyCalls} from '../runs/too-many-calls.ts';

export interface NestedCallBounds {
  readonly reach: ToolReach;
  readonly limits: Required<ProgramLimits>;
  /** Ends the program. */
  readonly signal: AbortSignal;
}

/** Timers and clocks differ a little: a call that ran out of time must end after it. */
const clockGapMs = 5;

export function createNestedCalls(
  {callTool}: Pick<DispatchRequest, 'callTool'>,
  {reach, limits, signal}: NestedCallBounds,
): ExecutionPorts['call'] {
  const gate = createCallGate(limits.parallel);
  let left = limits.tool_calls;

  async function make(tool: string, args: unknown, deadline: number | undefined): Promise<CallAttempt> {
    return await gate.through(async () => {
      const started_at = Date.now();
      const isLate =
        deadline === undefined ? [] : [AbortSignal.timeout(Math.max(0, deadline - started_at) + clockGapMs)];
      const output = await callTool(tool, args, AbortSignal.any([signal, ...isLate]));
      const attempt = attemptOfOutput(output, {started_at, ended_at: Date.now()});
      return output.error ? {...attempt, error: output.error} : attempt;
    });
  }

  return async ({tool, args}, {at, deadline}) => {
    const {declaration} = reach.tools.get(tool) ?? {};
    const attempts: CallAttempt[] = [];
    for (;;) {
      const judged = judgeAttempts(attempts, {isRepeatable: isRepeatable(declaration), deadline, now: Date.now()});
      if (judged.next === 'fail') return {end: {type: 'failed', error: judged.error}};
      if (judged.next === 'use') return used(judged.attempt, declaration?.mcp !== undefined);
      if (judged.next !== 'make') return {end: endedAt(at, errorOf(judged.attempt))};
      left -= 1;
      if (left < 0) return {end: endedAt(at, tooManyCalls)};
      const made = await make(tool, args, deadline);
      if (signal.aborted) return {end: {type: 'stopped', state: 'interrupted', approvals: []}};
      if (made.end === 'waits' || made.end === 'prevented') return {end: endedAt(at, errorOf(made))};
      attempts.push(made);
    }
  };
}

function used({data, error}: CallAttempt, isMcp: boolean): CallEnd {
  if (error) return {end: {type: 'failed', error}};
  return {end: {type: 'value', value: isMcp ? plainValue(data) : data}};
}

function errorOf({error}: CallAttempt): ToolFailure {
  return error ?? {code: 'TOOL_EXECUTION_FAILED', message: 'the call was prevented'};
}
