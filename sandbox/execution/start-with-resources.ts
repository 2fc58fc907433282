// Starts a runner with its resources, for the current call or as a spare for a later one: they end with it.
import type {Program} from '../backends/sandbox-backend.ts';
import {ok, type Outcome} from '../outcome.ts';
import type {SpareView, SpareViews, TransactionView, ViewEntry} from '../backends/transaction-view.ts';
import type {NetworkReport} from '../network/call-network.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import type {RunnerWithResources} from '../warm-pool/spare.ts';
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
): Promise<Outcome<RunnerWithResources>> {
  const resources = await openCallResources({profile, views: transaction}, context);
  if (!resources.ok) return resources;
  resources.value.network?.begin();
  return await startIn({...resources.value, spareView: undefined}, {profile, program}, context);
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
): Promise<Outcome<RunnerWithResources>> {
  const resources = await openCallResources({profile, views}, context);
  if (!resources.ok) return resources;
  const {view} = resources.value;
  const started = await startIn({...resources.value, spareView: view}, {profile, program}, context);
  if (!started.ok) await view?.close();
  return started;
}

type Resources = CallResources<ViewEntry> & {readonly spareView: SpareView | undefined};

async function startIn(
  {network, view, spareView}: Resources,
  {profile, program}: Pick<ColdStart, 'profile' | 'program'>,
  context: StartContext,
): Promise<Outcome<RunnerWithResources>> {
  const outcome = await context.backend.start({profile, program, network: network?.attachment, view});
  if (!outcome.ok) {
    await network?.close();
    return outcome;
  }
  const started = outcome.value;
  let report: Promise<NetworkReport | undefined> | undefined;
  const closeNetwork: RunnerWithResources['closeNetwork'] = () =>
    (report ??= network?.close() ?? Promise.resolve(undefined));
  let ownView = spareView;
  return ok({
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
  });
}
