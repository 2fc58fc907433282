// What the parts of one run share.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {ToolFailure} from '@lumenflow/schemas';
import type {ProgramCall} from '../interpreter/interpreter.ts';
import type {CallAttempt} from './call-attempt.ts';
import type {CallJournal} from './call-journal.ts';

/** unasked: the run is only read from its records, and they do not contain the question. */
export type Answer = 'approved' | 'rejected' | 'pending' | 'unasked';

export interface Asked {
  readonly answer: Answer;
  readonly request_id?: string | undefined;
  /** Why the question could not be asked. */
  readonly error?: ToolFailure;
}

export interface ProgramQuestion {
  readonly shown: object;
  /** Whether the person that runs the program may answer. */
  readonly self_approval?: boolean;
}

/** Of a call that must end before a time. */
export interface LiveCall extends ProgramCall {
  readonly at: string;
  readonly deadline?: number | undefined;
}

export interface ProgramRunContext {
  readonly runtime: KernelRuntime;
  readonly task_id: string;
  readonly journal: CallJournal;
  now(): number;
  ask(question: ProgramQuestion): Promise<Asked>;
  /** Makes one call, or returns undefined beyond the limit of calls. Undefined: the run is only read from its records. */
  readonly make: ((call: LiveCall) => Promise<CallAttempt | undefined>) | undefined;
}
