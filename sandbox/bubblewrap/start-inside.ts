// Starts a program inside bubblewrap: the last check of what is mounted and hidden, then the launch.
import {programArgv} from '../backends/program-argv.ts';
import type {StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import type {SandboxProblem} from '../backends/sandbox-problem.ts';
import type {HostFiles} from '../profile/host-files.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import {degradedItems} from './degraded-items.ts';
import {captureOutput} from '../commands/capture-output.ts';
import {explainFailure} from './explain-failure.ts';
import {launchBubblewrap, type Launched} from './launch.ts';
import {openMountSources, type MountSources} from './open-mount-sources.ts';
import type {ReadyProbe} from './probe-bubblewrap.ts';
import {recheckOverlays} from './recheck-overlays.ts';

export interface InsideContext {
  readonly probe: ReadyProbe;
  readonly files: HostFiles;
}

export async function startInside(
  {profile, program, network, view}: StartRequest,
  {probe, files}: InsideContext,
): Promise<StartedRunner | SandboxProblem> {
  const {host, filter} = probe;
  const sources = view?.isChecked === true ? noSources : openSources(profile, files);
  if (typeof sources === 'string') {
    return {message: `a mount changed before the start: ${sources}`, help: 'retry the call', retryable: true};
  }
  const launched = await launchBubblewrap({
    host,
    filter,
    profile: view?.profile ?? profile.profile,
    // The open source is the workspace itself.
    ...(view === undefined ? {sources} : {enterView: view.enter, mountsView: view.entered !== undefined}),
    argv: programArgv(program, profile.profile),
    cwd: profile.workspaceRoot,
    ...(network?.kind === 'namespace' ? {enterNetwork: network.enter} : {}),
    output: 'pipe',
    withWire: program.kind === 'runner',
  }).finally(() => sources.close());
  const problem = await mountProblem(view, launched);
  if (problem !== undefined) return problem;
  return {
    ...launched,
    degraded: degradedItems({unenforced: launched.unenforced, host}),
    // The error message and exit code of bwrap.
    setUpProblem: ({exitCode, stderr}) =>
      exitCode === 1 && stderr.startsWith('bwrap: ') ? explainFailure(stderr) : undefined,
  };
}

/** Of a view that what was launched mounts itself. Then nothing is left of the start. */
async function mountProblem(view: StartRequest['view'], launched: Launched): Promise<SandboxProblem | undefined> {
  // A process that did not start reports the reason itself.
  if (view?.entered === undefined || launched.view === undefined || launched.pid === undefined) return undefined;
  const {isMounted, isLookedAt} = launched.view;
  const timer = setTimeout(() => launched.kill(), mountMs);
  const hasView = await isMounted;
  clearTimeout(timer);
  if (hasView) {
    const problem = await view.entered(launched.pid);
    isLookedAt();
    if (problem === undefined) return undefined;
    launched.kill();
    await launched.ended;
    return problem;
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

const mountMs = 10_000;

const noSources: MountSources = {fds: new Map(), close: () => undefined};

/** A string describes what has changed since the profile was compiled. */
function openSources({profile}: CompiledProfile, files: HostFiles): MountSources | string {
  return recheckOverlays(profile, files) ?? openMountSources(profile);
}
