// An attempt at a run, as an activity. Its heartbeats report that the worker lives, and bring back the cancellation of the run.
import {isFinalError, type EngineWork, type RunProgress} from '@lumenflow/kernel/adapters';
import {ApplicationFailure, CancelledFailure, Context} from '@temporalio/activity';
import {shortened} from './run-messages.ts';

export type Advance = (run_id: string) => Promise<RunProgress>;

/** Heartbeats in the time after which a worker without them counts as dead. */
const beats = 4;
const beatMsMin = 50;

export function advanceActivity(work: EngineWork): Advance {
  return async (run_id) => {
    const context = Context.current();
    const signal = context.cancellationSignal;
    const {heartbeatTimeoutMs = 0} = context.info;
    const beat = setInterval(() => context.heartbeat(), Math.max(beatMsMin, heartbeatTimeoutMs / beats));
    try {
      return briefly(await work.advance(run_id, signal));
    } catch (error) {
      if (signal.aborted) throw signal.reason instanceof CancelledFailure ? signal.reason : new CancelledFailure('');
      throw ApplicationFailure.create({
        message: shortened(error instanceof Error ? error.message : String(error)),
        type: error instanceof Error ? error.name : 'Error',
        nonRetryable: isFinalError(error),
      });
    } finally {
      clearInterval(beat);
    }
  };
}

function briefly(progress: RunProgress): RunProgress {
  return progress.state === 'later' ? {...progress, reason: shortened(progress.reason)} : progress;
}
