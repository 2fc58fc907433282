// Starts a runner with its resources, for the call at hand or as a spare for one to come: its network ends with it.
import type {Program} from '../backends/sandbox-backend.ts';
import type {SandboxProblem} from '../backends/sandbox-problem.ts';
import type {TransactionView} from '../backends/transaction-view.ts';
import type {NetworkReport} from '../network/call-network.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import type {SpareRunner} from '../warm-pool/spare.ts';
import type {ExecutorContext} from './executor-context.ts';
import {openCallResources} from './open-call-resources.ts';

export interface RunnerStart {
  readonly profile: CompiledProfile;
  readonly transaction: TransactionView | undefined;
  readonly program: Program;
  /** Its network lets nothing through before a call has come. */
  readonly isSpare: boolean;
}

/** What cannot be had is a problem; nothing is left open then. */
export async function startWithResources(
  {profile, transaction, program, isSpare}: RunnerStart,
  context: Pick<ExecutorContext, 'backend' | 'network'>,
): Promise<SpareRunner | SandboxProblem> {
  const resources = await openCallResources({profile, transaction}, context);
  if ('message' in resources) return resources;
  const {network, view} = resources;
  if (!isSpare) network?.begin();
  const started = await context.backend.start({profile, program, network: network?.attachment, view});
  if ('message' in started) {
    await network?.close();
    return started;
  }
  let report: Promise<NetworkReport | undefined> | undefined;
  const closeNetwork: SpareRunner['closeNetwork'] = () => (report ??= network?.close() ?? Promise.resolve(undefined));
  return {
    ...started,
    degraded: [...started.degraded, ...(network?.degraded ?? []), ...(view?.degraded ?? [])],
    network,
    closeNetwork,
    kill() {
      started.kill();
      // Now, and not once it has ended: what it does while it is being killed must not reach anything.
      void closeNetwork();
    },
    keepAlive(on) {
      started.keepAlive(on);
      network?.keepAlive(on);
    },
    ended: started.ended.then(async (end) => {
      await closeNetwork();
      return end;
    }),
  };
}
