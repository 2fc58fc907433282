// Starts a program inside bubblewrap: the last look at what is mounted and hidden, then the launch.
import {programArgv} from '../backends/program-argv.ts';
import type {StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import type {SandboxProblem} from '../backends/sandbox-problem.ts';
import type {HostFiles} from '../profile/host-files.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import {degradedItems} from './degraded-items.ts';
import {explainFailure} from './explain-failure.ts';
import {launchBubblewrap} from './launch.ts';
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
    return {message: `a mount changed before the start: ${sources}`, help: 'call again', retryable: true};
  }
  const launched = await launchBubblewrap({
    host,
    filter,
    profile: view?.profile ?? profile.profile,
    // What is open is the workspace itself.
    ...(view === undefined ? {sources} : {enterView: view.enter}),
    argv: programArgv(program, profile.profile),
    cwd: profile.workspaceRoot,
    ...(network?.kind === 'namespace' ? {enterNetwork: network.enter} : {}),
    output: 'pipe',
    withWire: program.kind === 'runner',
  }).finally(() => sources.close());
  return {
    ...launched,
    degraded: degradedItems({unenforced: launched.unenforced, host}),
    // bwrap's own words and exit code.
    setUpProblem: ({exitCode, stderr}) =>
      exitCode === 1 && stderr.startsWith('bwrap: ') ? explainFailure(stderr) : undefined,
  };
}

const noSources: MountSources = {fds: new Map(), close: () => undefined};

/** Text: what has changed since the profile was compiled. */
function openSources({profile}: CompiledProfile, files: HostFiles): MountSources | string {
  return recheckOverlays(profile, files) ?? openMountSources(profile);
}
