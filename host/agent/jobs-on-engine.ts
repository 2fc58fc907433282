// Due sessions on the engine of a server: each job reports one to the engine, whose workers run it. It is due as long as it runs, so it is
// reported again at growing intervals, which changes nothing. A run that the engine has parked is started again once a person has
// answered one of its requests, or by the next scheduler.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {Engine} from '@lumenflow/kernel/adapters';
import {notifyEngine} from '../engine/notify-engine.ts';
import type {Job} from '../jobs/job-runner.ts';
import {agentRunId} from './agent-run-id.ts';

export function jobsOnEngine(
  engine: Engine,
  runtime: Pick<KernelRuntime, 'listApprovals'>,
): (due: readonly Job[]) => readonly Job[] {
  /** The answers that the engine knew of at its last start, by task. */
  const known = new Map<string, string>();
  const answersOf = (task_id: string): string =>
    runtime
      .listApprovals({task_id})
      .map(({request_id, state}) => `${request_id} ${state}`)
      .join();

  return (due) =>
    due.map(({id, mayBegin}) => ({
      id,
      mayBegin,
      async run() {
        const [run_id, answers] = [agentRunId(id), answersOf(id)];
        const at = await engine.query(run_id);
        if (at?.state === 'parked' && known.get(id) === answers) return;
        if (await notifyEngine(engine, runtime, run_id, id)) known.set(id, answers);
      },
    }));
}
