// Starts the program of a call in a container: the last check of what is mounted and hidden, then the launch.
import {Socket} from 'node:net';
import type {StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import {captureOutput} from '../commands/capture-output.ts';
import {boundLimits} from '../commands/rlimits.ts';
import {openMountSources} from '../linux/open-mount-sources.ts';
import {overlayProblem} from '../linux/overlay-problem.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {HostFiles} from '../profile/host-files.ts';
import {printablePath} from '../profile/path-bytes.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {explainContainer} from './explain-container.ts';
import {launchContainer, type LaunchedContainer} from './launch-container.ts';
import type {OciHost} from './oci-host.ts';

export interface ContainerContext {
  readonly host: OciHost;
  readonly files: HostFiles;
}

const mountMs = 10_000;
/** A byte of a name that is not UTF-8; a configuration is text. */
const escapedByte = /[\u{DC80}-\u{DCFF}]/u;

export async function startContainer(
  {profile, program, network, view}: StartRequest,
  {host, files}: ContainerContext,
): Promise<Outcome<StartedRunner>> {
  const unnamed = mountedPaths(profile).find((path) => escapedByte.test(path));
  if (unnamed !== undefined) return failed(notText(unnamed));
  const changed = view?.isChecked === true ? undefined : changedMount(profile, files);
  if (changed !== undefined) {
    return failed({message: `a mount changed before the start: ${changed}`, help: 'retry the call', retryable: true});
  }
  const launched = await launchContainer({
    host,
    profile: profile.profile,
    program,
    cwd: profile.workspaceRoot,
    network: network?.kind === 'namespace' ? network : undefined,
    view,
  });
  const problem = await mountProblem(view, launched);
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

/** A runner announces itself over its wire before anything of a handler runs. A message on stderr could be the handler's own. */
function hasBegun({wire}: LaunchedContainer): boolean {
  return wire === undefined || (wire instanceof Socket && wire.bytesRead > 0);
}

function mountedPaths({profile, workspaceRoot}: CompiledProfile): readonly string[] {
  const mounts = [...profile.writable_bind_mounts, ...profile.readonly_bind_mounts];
  return [
    workspaceRoot,
    ...mounts.flatMap(({source, target}) => [source, target]),
    ...profile.deny_overlays.map(({path}) => path),
  ];
}

function notText(path: string): SandboxProblem {
  return {
    message: `the name \`${printablePath(path)}\` is not UTF-8, and the configuration of a container cannot contain it`,
    help: 'rename it, or use the backend `bubblewrap`',
  };
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

/** Of a view that what was launched mounts itself. Then nothing is left of the start. */
async function mountProblem(
  view: StartRequest['view'],
  launched: LaunchedContainer,
): Promise<SandboxProblem | undefined> {
  if (view?.entered === undefined || launched.mounted === undefined || launched.pid === undefined) return undefined;
  const {isMounted, isLookedAt} = launched.mounted;
  const timer = setTimeout(() => launched.kill(), mountMs);
  const hasView = await isMounted;
  clearTimeout(timer);
  if (hasView) {
    const entered = await view.entered(launched.pid);
    isLookedAt();
    if (entered.ok) return undefined;
    launched.kill();
    await launched.ended;
    return entered.problem;
  }
  const errors = launched.stderr ? captureOutput(launched.stderr, 4000) : () => ({text: ''});
  isLookedAt();
  await launched.ended;
  const why = errors().text.trim().split('\n')[0] ?? '';
  return {
    message: `the private view of the workspace could not be mounted (\`${why}\`)`,
    help: 'retry the call',
    retryable: true,
  };
}

/** What has changed since the profile was compiled; undefined if all is as it was. */
function changedMount({profile}: CompiledProfile, files: HostFiles): string | undefined {
  const changed = overlayProblem(profile, files);
  if (changed !== undefined) return changed;
  const opened = openMountSources(profile);
  if (!opened.ok) return opened.problem;
  opened.value.close();
  return undefined;
}
