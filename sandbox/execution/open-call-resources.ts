// What a start has beside its profile: its network, and the view that a transaction gives it.
import type {SandboxProfile} from '@lumenflow/schemas';
import type {SandboxProblem} from '../backends/sandbox-problem.ts';
import type {ViewEntry} from '../backends/transaction-view.ts';
import type {CallNetwork} from '../network/call-network.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import type {ExecutorContext} from './executor-context.ts';

export interface ResourcesInput<View extends ViewEntry> {
  readonly profile: CompiledProfile;
  /** Undefined where the call works in the workspace itself. */
  readonly views: ViewOpener<View> | undefined;
}

/** A transaction, or what opens views for later calls. */
export interface ViewOpener<View extends ViewEntry> {
  open(profile: SandboxProfile, enter: readonly string[], mayMount?: boolean): Promise<View | SandboxProblem>;
}

export interface CallResources<View extends ViewEntry> {
  /** To be closed with what is started in it. */
  readonly network: CallNetwork | undefined;
  readonly view: View | undefined;
}

/** What cannot be had is a problem; nothing is left open then. */
export async function openCallResources<View extends ViewEntry>(
  {profile, views}: ResourcesInput<View>,
  context: Pick<ExecutorContext, 'backend' | 'network'>,
): Promise<CallResources<View> | SandboxProblem> {
  const {network: kind, mountsViews} = context.backend.capabilities;
  const network = kind && (await context.network.open(profile.profile, kind));
  if (network !== undefined && 'message' in network) return network;
  const enter = network?.attachment.kind === 'namespace' ? network.attachment.enter : [];
  const view = await views?.open(profile.profile, enter, mountsViews);
  if (view !== undefined && 'message' in view) {
    await network?.close();
    return view;
  }
  return {network, view};
}
