// The resources of a start besides its profile: its network, and the view of a transaction.
import type {SandboxProfile} from '@lumenflow/schemas';
import {ok, type Outcome} from '../outcome.ts';
import type {ViewEntry, ViewWay} from '../backends/transaction-view.ts';
import type {CallNetwork} from '../network/call-network.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import type {ExecutorContext} from './executor-context.ts';

export interface ResourcesInput<View extends ViewEntry> {
  readonly profile: CompiledProfile;
  /** Undefined if the call works in the workspace itself. */
  readonly views: ViewOpener<View> | undefined;
}

/** A transaction, or an opener of views for later calls. */
export interface ViewOpener<View extends ViewEntry> {
  open(profile: SandboxProfile, enter: readonly string[], way?: ViewWay): Promise<Outcome<View>>;
}

export interface CallResources<View extends ViewEntry> {
  /** Close it together with what is started in it. */
  readonly network: CallNetwork | undefined;
  readonly view: View | undefined;
}

/** A resource that is unavailable is a problem; nothing stays open then. */
export async function openCallResources<View extends ViewEntry>(
  {profile, views}: ResourcesInput<View>,
  context: Pick<ExecutorContext, 'backend' | 'network'>,
): Promise<Outcome<CallResources<View>>> {
  const {network: kind, viewWay} = context.backend.capabilities;
  const opened =
    kind === undefined ? ok(undefined) : await context.network.open(profile.profile, kind, context.backend);
  if (!opened.ok) return opened;
  const network = opened.value;
  const enter = network?.attachment.kind === 'namespace' ? network.attachment.enter : [];
  const view = (await views?.open(profile.profile, enter, viewWay)) ?? ok(undefined);
  if (view.ok) return ok({network, view: view.value});
  await network?.close();
  return view;
}
