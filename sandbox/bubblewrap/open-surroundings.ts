// What a start has beside its profile: its network, its mounts held open, the view that a transaction gives it.
import type {SandboxProblem, SandboxRequest} from '../backends/sandbox-backend.ts';
import type {CallNetwork} from '../network/create-call-network.ts';
import type {SandboxNetwork} from '../network/create-sandbox-network.ts';
import type {HeldPlace} from '../backends/write-holder.ts';
import type {HostFiles} from '../profile/host-files.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import type {MountSources} from './open-mount-sources.ts';
import {openSources, type RunnerStart} from './start-runner.ts';

export interface Surroundings {
  readonly start: Pick<RunnerStart, 'profile' | 'enterNetwork' | 'enterView'>;
  /** To be closed by who starts the runner. */
  readonly sources: MountSources;
  /** To be closed with what is started in it. */
  readonly network: CallNetwork | undefined;
  /** What of them does not hold in full, in words for the receipt. */
  readonly degraded: readonly string[];
}

export interface SurroundingsPlace {
  readonly network: SandboxNetwork;
  readonly files: HostFiles;
}

/** What cannot be had is a problem; nothing is left open then. */
export async function openSurroundings(
  {profile, transaction}: Pick<SandboxRequest, 'profile' | 'transaction'>,
  place: SurroundingsPlace,
): Promise<Surroundings | SandboxProblem> {
  const network = await place.network.open(profile.profile);
  if (network !== undefined && 'message' in network) return network;
  const sources = openSources(profile, place.files);
  if (typeof sources === 'string') {
    await network?.close();
    return {message: `a mount changed before the start: ${sources}`, help: 'call again', retryable: true};
  }
  const view = await transaction?.open(profile.profile, network?.enter ?? []);
  if (view !== undefined && 'message' in view) {
    sources.close();
    await network?.close();
    return view;
  }
  return {
    start: startOf(profile, network, view),
    sources,
    network,
    degraded: [...(network?.degraded ?? []), ...(view?.degraded ?? [])],
  };
}

function startOf(
  profile: CompiledProfile,
  network: CallNetwork | undefined,
  view: HeldPlace | undefined,
): Surroundings['start'] {
  return {
    profile: view === undefined ? profile : {...profile, profile: view.profile},
    ...(network === undefined ? {} : {enterNetwork: network.enter}),
    ...(view === undefined ? {} : {enterView: view.enter}),
  };
}
