// The executions of each step of a program: a step within a loop has several.
import type {ProgramStepRecord} from '@lumenflow/schemas';

/** By JSON pointer into the program. */
export type StepStates = ReadonlyMap<string, readonly ProgramStepRecord[]>;

export function stepStates(records: readonly ProgramStepRecord[]): StepStates {
  const states = new Map<string, ProgramStepRecord[]>();
  for (const record of records) {
    const step = record.step.replaceAll(/\[\d+\]/gu, '');
    const found = states.get(step);
    if (found) found.push(record);
    else states.set(step, [record]);
  }
  return states;
}

const severity: readonly ProgramStepRecord['state'][] = ['succeeded', 'running', 'waiting', 'failed', 'ambiguous'];

/** The state that a person must see first; undefined if the step has not begun. */
export function worstState(records: readonly ProgramStepRecord[]): ProgramStepRecord['state'] | undefined {
  return severity.findLast((state) => records.some((record) => record.state === state));
}
