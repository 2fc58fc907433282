// Runs a program in the context of a run: live, or from its records only. Both are the same code, so the record of a run shows
// exactly what a resumed run would find.
import type {ProgramLimits, ProgramStepRecord, ToolFailure} from '@lumenflow/schemas';
import {setTimeout as sleep} from 'node:timers/promises';
import type {ProgramDocument} from '../document/read-program.ts';
import {createEvaluator} from '../expressions/create-evaluator.ts';
import {ProgramExecution} from '../interpreter/program-execution.ts';
import {endedAt, type StepEnd, type Stopped, type Values} from '../interpreter/step-end.ts';
import {approvalStep} from './approval-step.ts';
import {callStep} from './call-step.ts';
import type {ProgramRunContext} from './program-run-context.ts';

export interface ExecutionRequest {
  readonly document: ProgramDocument;
  readonly inputs: Values;
  readonly limits: Required<ProgramLimits>;
  /** Stops the run, which can be resumed. */
  readonly signal: AbortSignal;
  /** The time of the run is over. */
  readonly over: AbortSignal;
  onStep(record: ProgramStepRecord): void;
}

export interface Executed {
  readonly end: StepEnd;
  /** In the order in which they began. */
  readonly steps: readonly ProgramStepRecord[];
}

export async function executeProgram(run: ProgramRunContext, request: ExecutionRequest): Promise<Executed> {
  const {document, inputs, limits, signal, over} = request;
  const evaluator = createEvaluator();
  const records = new Map<string, ProgramStepRecord>();
  const stop = (at: string): Stopped | undefined => {
    if (over.aborted) return endedAt(at, beyondTime(limits));
    return signal.aborted ? {type: 'stopped', state: 'interrupted', approvals: []} : undefined;
  };
  const execution = new ProgramExecution(evaluator, limits, {
    call: (call, place) => callStep(run, call, place),
    approval: (statement, place) => approvalStep(run, statement, place),
    beganAt: (at) => run.journal.beganAt(at),
    now: run.now,
    sleep: (ms) => pause(ms, run.make === undefined ? AbortSignal.abort() : AbortSignal.any([signal, over])),
    stop,
    onStep(record) {
      records.set(record.step, record);
      request.onStep(record);
    },
  });
  try {
    const end = await execution.run(document.program, inputs);
    const steps = [...records.values()];
    // The call that ran was interrupted.
    const last = end.type === 'stopped' && end.state === 'interrupted' ? stop(steps.at(-1)?.step ?? '') : undefined;
    return {end: last ?? end, steps};
  } finally {
    await evaluator.close();
  }
}

function beyondTime({wall_time_ms}: Required<ProgramLimits>): ToolFailure {
  const message = `the program reached its limit of ${wall_time_ms} wall_time_ms`;
  return {code: 'LIMIT_EXCEEDED', message, details: {limit: 'wall_time_ms', wall_time_ms}};
}

async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, {signal});
    return true;
  } catch {
    // Only the signal ends it early.
    return false;
  }
}
