// What a step needs of the run that it is part of.
import type {Outcome} from '@lumenflow/kernel';
import type {ProgramLimits, ProgramStep, ToolFailure} from '@lumenflow/schemas';
import type {StepEnd, Values} from './step-end.ts';
import type {StepPlace} from './step-place.ts';

export interface ProgramCall {
  readonly tool: string;
  readonly args: unknown;
}

export interface Interpreter {
  readonly limits: Required<ProgramLimits>;
  /** Runs the steps one after the other. */
  steps(steps: readonly ProgramStep[], place: StepPlace): Promise<StepEnd>;
  /** Replaces the expressions in the data. */
  fill(data: unknown, values: Values): Promise<Outcome<unknown, ToolFailure>>;
  /** The value of one expression. */
  evaluate(expression: string, values: Values): Promise<Outcome<unknown, ToolFailure>>;
  /** Makes the call, or returns how it ended before; `as` names its value. */
  call(call: ProgramCall, place: StepPlace, as: string | undefined): Promise<StepEnd>;
  approval(statement: string, place: StepPlace): Promise<StepEnd>;
  /** When the first call below this step began, in milliseconds since the epoch; now if there is none. */
  beganAt(at: string): number;
  hasBegun(at: string): boolean;
  /** Returns false if the run was interrupted. */
  sleep(ms: number): Promise<boolean>;
}

/** Runs one step of a kind. */
export type RunStep = (run: Interpreter, step: ProgramStep, place: StepPlace) => Promise<StepEnd>;
