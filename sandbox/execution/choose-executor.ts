// Chooses the executor of a call: the first whose backend works on this machine and meets the requirements of the call.
import {runsJavaScript, type HandlerCode} from '../backends/sandbox-backend.ts';
import type {SandboxRequest} from '../backends/sandbox-call.ts';
import {unmetAnywhere} from '../backends/security-tier.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {CallExecutor} from './create-call-executor.ts';

export type Executors = readonly [CallExecutor, ...CallExecutor[]];

/** Those whose backend runs code like that of the call's handler. */
export function executorsFor(request: SandboxRequest, executors: readonly CallExecutor[]): Outcome<Executors> {
  const isModule = /\.wasm#[^#]*$/u.test(request.invocation.handler_entry);
  const [first, ...others] = executors.filter(({backend}) => runsJavaScript(backend) !== isModule);
  return first === undefined ? failed(noneRuns[isModule ? 'wasm' : 'javascript']) : ok([first, ...others]);
}

const noneRuns: Readonly<Record<HandlerCode, SandboxProblem>> = {
  javascript: {
    message: 'no configured backend runs JavaScript',
    help: 'add a backend such as `bubblewrap` to `security.sandbox.backend`',
  },
  wasm: {
    message: 'no configured backend runs WebAssembly modules',
    help: 'add `wasm` to `security.sandbox.backend`',
  },
};

/** If none does, the first that could reach the tier on another machine, which then reports why it does not here. */
export async function chooseExecutor(request: SandboxRequest, executors: Executors): Promise<CallExecutor> {
  const [first, ...others] = executors;
  if (others.length === 0) return first;
  for (const executor of executors) {
    if ((await executor.whyNot(request)) === undefined) return executor;
  }
  const tier = request.securityTier;
  return executors.find(({backend}) => tier === undefined || unmetAnywhere(tier, [backend]) === undefined) ?? first;
}
