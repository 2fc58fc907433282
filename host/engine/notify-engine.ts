// Lets an engine know that a run can continue: its requests are answered, or it was recorded and not started yet.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {Engine} from '@lumenflow/kernel/adapters';

/** False: the engine is not ready for it. Repeat it while the records say that the run can continue. */
export async function notifyEngine(
  engine: Engine,
  {listApprovals}: Pick<KernelRuntime, 'listApprovals'>,
  run_id: string,
  task_id: string = run_id,
): Promise<boolean> {
  const answered = listApprovals({task_id}).filter(({state}) => state !== 'pending');
  const isSignalled = await engine.signal(
    run_id,
    answered.map(({request_id}) => request_id),
  );
  return isSignalled || (await engine.start(run_id));
}
