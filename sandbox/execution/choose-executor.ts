// Which of several executors runs a call: the first whose backend works on this machine and gives what the call requires.
import type {SandboxRequest} from '../backends/sandbox-call.ts';
import type {CallExecutor} from './create-call-executor.ts';

/** The first one where none does, which then says why; undefined of none. */
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
