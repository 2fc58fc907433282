// What a start has beside its profile: its network, and the view that a transaction gives it.
import type {SandboxProblem} from '../backends/sandbox-problem.ts';
import type {TransactionView, ViewEntry} from '../backends/transaction-view.ts';
import type {CallNetwork} from '../network/call-network.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import type {ExecutorContext} from './executor-context.ts';

export interface ResourcesInput {
  readonly profile: CompiledProfile;
  readonly transaction: TransactionView | undefined;
}

export interface CallResources {
  /** To be closed with what is started in it. */
  readonly network: CallNetwork | undefined;
  /** The transaction closes it. */
  readonly view: ViewEntry | undefined;
}

/** What cannot be had is a problem; nothing is left open then. */
export async function openCallResources(
  {profile, transaction}: ResourcesInput,
  context: Pick<ExecutorContext, 'backend' | 'network'>,
): Promise<CallResources | SandboxProblem> {
  const kind = context.backend.capabilities.network;
  const network = kind && (await context.network.open(profile.profile, kind));
  if (network !== undefined && 'message' in network) return network;
  const enter = network?.attachment.kind === 'namespace' ? network.attachment.enter : [];
  const view = await transaction?.open(profile.profile, enter);
  if (view !== undefined && 'message' in view) {
    await network?.close();
    return view;
  }
  return {network, view};
}
