// Starts the program of a call in a container: the last check of what is mounted and hidden, then the launch.
import type {StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import {boundLimits} from '../commands/rlimits.ts';
import {hasBegun} from '../linux/has-begun.ts';
import {mountProblem} from '../linux/mount-problem.ts';
import {viewProblem} from '../linux/view-problem.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {HostFiles} from '../profile/host-files.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import {explainContainer} from './explain-container.ts';
import {launchContainer, type LaunchedContainer} from './launch-container.ts';
import type {OciHost} from './oci-host.ts';

export interface ContainerContext {
  readonly host: OciHost;
  readonly files: HostFiles;
}

export async function startContainer(
  {profile, program, network, view}: StartRequest,
  {host, files}: ContainerContext,
): Promise<Outcome<StartedRunner>> {
  const unfit = mountProblem(profile, view, files);
  if (unfit !== undefined) return failed(unfit);
  const launched = await launchContainer({
    host,
    profile: profile.profile,
    program,
    cwd: profile.workspaceRoot,
    network: network?.kind === 'namespace' ? network : undefined,
    view,
  });
  const problem = await viewProblem(view, launched, launched.mounted);
  if (problem !== undefined) return failed(problem);
  return ok({
    ...launched,
    degraded: [
      ...degradedItems(profile, launched),
      ...(host.runtime.hasOwnKernel && network !== undefined ? [socketsText] : []),
    ],
    setUpProblem: ({exitCode, stderr}) =>
      exitCode === 0 || hasBegun(launched) ? undefined : explainContainer(host.runtime, stderr),
  });
}

function degradedItems({profile}: CompiledProfile, {group}: LaunchedContainer): readonly string[] {
  const {limits} = profile;
  const measured = (['memory_bytes', 'processes'] as const).filter(
    (limit) => limits[limit] !== undefined && group?.enforces.includes(limit) !== true,
  );
  const counted = new Set(boundLimits(limits).flatMap(({limit, bound}) => (bound === undefined ? [] : [limit])));
  const unbound = measured
    .filter((limit) => limit !== 'processes' || process.geteuid?.() === 0 || !counted.has(limit))
    .map((limit) => `${limit}: best effort, measured every 50 ms because the host cannot create control groups`);
  return [...unbound, mountsText];
}

/** Only there does the host's broker answer. */
const socketsText = 'kernel: sockets are those of the kernel of the host, in the network of the call';
const mountsText = 'mounts: checked only before the start because the runtime mounts paths';
