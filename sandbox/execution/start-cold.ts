// Starts a sandbox for the current call.
import {ok, type Outcome} from '../outcome.ts';
import type {SandboxRequest} from '../backends/sandbox-call.ts';
import {createPacedMeter} from '../limits/create-paced-meter.ts';
import type {RunnerWithResources} from '../warm-pool/spare.ts';
import type {ExecutorContext} from './executor-context.ts';
import {neverStarted} from './never-started.ts';
import type {AcquiredRunner} from './acquired-runner.ts';
import {startForCall} from './start-with-resources.ts';

/** A resource that is unavailable is a problem; nothing keeps running then. */
export async function startCold(
  {profile, transaction, signal, lasting}: SandboxRequest,
  context: ExecutorContext,
): Promise<Outcome<AcquiredRunner>> {
  const cold = {start: 'cold', served: 0, earlierCpuMs: 0} as const;
  if (signal?.aborted === true) return ok({...cold, runner: neverStarted(signal.reason)});
  const program = {kind: 'runner', runner: context.runner} as const;
  const runner = await startForCall({profile, transaction, program}, context);
  return runner.ok ? ok({...cold, runner: lasting ? paced(runner.value) : runner.value}) : runner;
}

/** Each of its calls would be measured at its end. */
function paced(runner: RunnerWithResources): RunnerWithResources {
  return {...runner, meter: runner.meter && createPacedMeter(runner.meter, () => performance.now())};
}
