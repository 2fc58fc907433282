// Runs that a worker of an engine advances: this process starts them, waits, and shows the record.
import {failed, type Outcome} from '@lumenflow/kernel';
import type {Engine} from '@lumenflow/kernel/adapters';
import type {ProgramRun, ToolFailure} from '@lumenflow/schemas';
import {notifyEngine} from '../../../engine/notify-engine.ts';
import type {ProgramHost} from './program-host.ts';
import {viewProgramRun} from './view-program-run.ts';

/** With an aborted signal, the wait ends, and the run continues. Fails if the engine is not reachable, or has parked the run. */
export async function runOnEngine(
  engine: Engine,
  host: ProgramHost,
  {run_id, signal}: {readonly run_id: string; readonly signal?: AbortSignal | undefined},
): Promise<Outcome<ProgramRun, ToolFailure>> {
  const details = {run_id};
  try {
    await notifyEngine(engine, host.runtime, run_id);
    const at = await engine.wait(run_id, signal);
    if (at?.state === 'parked') {
      const message = `${engine.name} parked the run \`${run_id}\`, because its attempts failed: ${at.reason ?? ''}. Correct the cause, and resume the run`;
      return failed({code: 'BACKEND_UNAVAILABLE', message, details});
    }
  } catch (error) {
    if (signal?.aborted !== true)
      return failed({code: 'BACKEND_UNAVAILABLE', message: unreachable(run_id, error), details});
  } finally {
    await engine.close();
  }
  await host.runtime.refresh();
  return await viewProgramRun(host, run_id);
}

function unreachable(run_id: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `the run \`${run_id}\` is recorded, and the engine did not accept it: ${reason}. \`lumenflow serve\` starts it later`;
}
