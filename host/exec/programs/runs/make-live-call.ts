// Makes the calls of a run, in its own task even when one of them claims another.
import type {ExecutionContext, KernelRuntime} from '@lumenflow/kernel';
import type {ProgramLimits} from '@lumenflow/schemas';
import type {RecordedMetadata} from '../../../sessions/recorded-metadata.ts';
import {attemptOfOutput} from './call-attempt.ts';
import {createCallGate} from '../../../jobs/call-gate.ts';
import {stepKey, type CallJournal} from './call-journal.ts';
import type {ProgramRunContext} from './program-run-context.ts';

export interface LiveCalls {
  readonly runtime: KernelRuntime;
  readonly context: ExecutionContext;
  readonly journal: CallJournal;
  readonly limits: Required<ProgramLimits>;
  readonly signal: AbortSignal;
  on_progress?: ((payload: unknown, step: string) => void) | undefined;
}

/** Timers and clocks differ a little: a call that ran out of time must end after it. */
const clockGapMs = 5;

/** Its calls are bounded, also together with those of earlier processes. */
export function makeLiveCall(live: LiveCalls): NonNullable<ProgramRunContext['make']> {
  const {runtime, context, journal, limits, signal, on_progress} = live;
  const gate = createCallGate(limits.parallel);
  let left = limits.tool_calls - journal.size;
  return async ({tool, args, at, deadline}) => {
    left -= 1;
    if (left < 0) return undefined;
    return await gate.through(async () => {
      const started_at = Date.now();
      const output = await runtime.executeTool(tool, args, {
        ...context,
        execution_metadata: {program_run: context.task_id, [stepKey]: at} satisfies RecordedMetadata,
        signal:
          deadline === undefined
            ? signal
            : AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, deadline - started_at) + clockGapMs)]),
        ...(on_progress && {onProgress: (payload: unknown) => on_progress(payload, at)}),
      });
      return attemptOfOutput(output, {started_at, ended_at: Date.now()});
    });
  };
}
