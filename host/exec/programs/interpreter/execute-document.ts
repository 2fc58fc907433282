// Executes a program from its first step, with the given ways out of it.
import type {ProgramLimits, ProgramStepRecord, ToolFailure} from '@lumenflow/schemas';
import {setTimeout as sleep} from 'node:timers/promises';
import type {ProgramDocument} from '../document/read-program.ts';
import {createEvaluator} from '../expressions/create-evaluator.ts';
import {ProgramExecution, type ExecutionPorts} from './program-execution.ts';
import {endedAt, type StepEnd, type Stopped, type Values} from './step-end.ts';

export interface ExecutionRequest {
  readonly document: Pick<ProgramDocument, 'program'>;
  readonly inputs: Values;
  readonly limits: Required<ProgramLimits>;
  /** Interrupts the run. */
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

export interface WaysOut extends Pick<ExecutionPorts, 'call' | 'approval' | 'beganAt' | 'now'> {
  /** False for a run that is only read from its records. */
  readonly canSleep: boolean;
}

export async function executeDocument({canSleep, ...ways}: WaysOut, request: ExecutionRequest): Promise<Executed> {
  const {document, inputs, limits, signal, over} = request;
  const evaluator = createEvaluator();
  const records = new Map<string, ProgramStepRecord>();
  const stop = (at: string): Stopped | undefined => {
    if (over.aborted) return endedAt(at, beyondTime(limits));
    return signal.aborted ? {type: 'stopped', state: 'interrupted', approvals: []} : undefined;
  };
  const execution = new ProgramExecution(evaluator, limits, {
    ...ways,
    sleep: (ms) => pause(ms, canSleep ? AbortSignal.any([signal, over]) : AbortSignal.abort()),
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
