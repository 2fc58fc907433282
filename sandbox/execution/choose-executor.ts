// Chooses the executor of a call: the first whose backend works on this machine and meets the requirements of the call.
import type {SandboxRequest} from '../backends/sandbox-call.ts';
import type {CallExecutor} from './create-call-executor.ts';

/** If none does, the first one, which then reports why; undefined if there are no executors. */
export async function chooseExecutor(
  request: SandboxRequest,
  executors: readonly CallExecutor[],
): Promise<CallExecutor | undefined> {
  const [first, ...others] = executors;
  if (first === undefined || others.length === 0) return first;
  for (const executor of executors) {
    if ((await executor.whyNot(request)) === undefined) return executor;
  }
  return first;
}
