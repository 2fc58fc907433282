// Starts a runner with its resources, for the current call or as a spare for a later one: they end with it.
import type {Program} from '../backends/sandbox-backend.ts';
import type {SandboxProblem} from '../backends/sandbox-problem.ts';
import type {SpareView, SpareViews, TransactionView} from '../backends/transaction-view.ts';
import type {NetworkReport} from '../network/call-network.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import type {SpareRunner} from '../warm-pool/spare.ts';
import type {ExecutorContext} from './executor-context.ts';
import {openCallResources, type CallResources} from './open-call-resources.ts';

type StartContext = Pick<ExecutorContext, 'backend' | 'network'>;

export interface ColdStart {
  readonly profile: CompiledProfile;
  readonly program: Program;
  readonly transaction: TransactionView | undefined;
}

/** A resource that is unavailable is a problem; nothing stays open then, except the view, which its transaction closes. */
export async function startForCall(
  {profile, program, transaction}: ColdStart,
  context: StartContext,
): Promise<SpareRunner | SandboxProblem> {
  const resources = await openCallResources({profile, views: transaction}, context);
  if ('message' in resources) return resources;
  resources.network?.begin();
  return await startIn({...resources, spareView: undefined}, {profile, program}, context);
}

export interface SpareStart {
  readonly profile: CompiledProfile;
  readonly program: Program;
  readonly views: SpareViews | undefined;
}

/** Its network carries nothing before a call has arrived. */
export async function startForLater(
  {profile, program, views}: SpareStart,
  context: StartContext,
): Promise<SpareRunner | SandboxProblem> {
  const resources = await openCallResources({profile, views}, context);
  if ('message' in resources) return resources;
  const started = await startIn({...resources, spareView: resources.view}, {profile, program}, context);
  if ('message' in started) await resources.view?.close();
  return started;
}

type Resources = CallResources<TransactionViewEntry> & {readonly spareView: SpareView | undefined};
type TransactionViewEntry = Extract<Awaited<ReturnType<TransactionView['open']>>, {readonly enter: unknown}>;

async function startIn(
  {network, view, spareView}: Resources,
  {profile, program}: Pick<ColdStart, 'profile' | 'program'>,
  context: StartContext,
): Promise<SpareRunner | SandboxProblem> {
  const started = await context.backend.start({profile, program, network: network?.attachment, view});
  if ('message' in started) {
    await network?.close();
    return started;
  }
  let report: Promise<NetworkReport | undefined> | undefined;
  const closeNetwork: SpareRunner['closeNetwork'] = () => (report ??= network?.close() ?? Promise.resolve(undefined));
  let ownView = spareView;
  return {
    ...started,
    degraded: [...started.degraded, ...(network?.degraded ?? []), ...(view?.degraded ?? [])],
    network,
    closeNetwork,
    view: spareView,
    releaseView: () => void (ownView = undefined),
    kill() {
      started.kill();
      // Close it now, not after the end: a process that is being killed must not reach anything.
      void closeNetwork();
    },
    keepAlive(on) {
      started.keepAlive(on);
      network?.keepAlive(on);
      ownView?.keepAlive(on);
    },
    ended: started.ended.then(async (end) => {
      await closeNetwork();
      await ownView?.close();
      return end;
    }),
  };
}
