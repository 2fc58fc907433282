// Starts a program inside bubblewrap: the last check of what is mounted and hidden, then the launch.
import {programArgv} from '../backends/program-argv.ts';
import type {StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {HostFiles} from '../profile/host-files.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import {degradedItems} from './degraded-items.ts';
import {explainFailure} from './explain-failure.ts';
import {launchBubblewrap} from './launch.ts';
import {hasBegun} from '../linux/has-begun.ts';
import {openMountSources, type MountSources} from '../linux/open-mount-sources.ts';
import type {ReadyProbe} from './probe-bubblewrap.ts';
import {viewProblem} from '../linux/view-problem.ts';
import {overlayProblem} from '../linux/overlay-problem.ts';

export interface InsideContext {
  readonly probe: ReadyProbe;
  readonly files: HostFiles;
}

export async function startInside(
  {profile, program, network, view}: StartRequest,
  {probe, files}: InsideContext,
): Promise<Outcome<StartedRunner>> {
  const {host, filter} = probe;
  const opened = view?.isChecked === true ? ok(noSources) : openSources(profile, files);
  if (!opened.ok) {
    return failed({
      message: `a mount changed before the start: ${opened.problem}`,
      help: 'retry the call',
      retryable: true,
    });
  }
  const sources = opened.value;
  const launched = await launchBubblewrap({
    host,
    filter,
    profile: view?.profile ?? profile.profile,
    // The open source is the workspace itself.
    sources: view === undefined ? sources : undefined,
    enterView: view?.enter,
    mountsView: view?.entered !== undefined,
    argv: programArgv(program, profile.profile),
    cwd: profile.workspaceRoot,
    enterNetwork: network?.kind === 'namespace' ? network.enter : undefined,
    output: 'pipe',
    withWire: program.kind === 'runner',
  }).finally(() => sources.close());
  const problem = await viewProblem(view, launched, launched.view);
  if (problem !== undefined) return failed(problem);
  return ok({
    ...launched,
    degraded: degradedItems({unenforced: launched.unenforced, host}),
    // The error message and exit code of bwrap.
    setUpProblem: ({exitCode, stderr}) =>
      exitCode === 1 && stderr.startsWith('bwrap: ') && !(program.kind === 'runner' && hasBegun(launched))
        ? explainFailure(stderr)
        : undefined,
  });
}

const noSources: MountSources = {fds: new Map(), close: () => undefined};

/** The problem is what has changed since the profile was compiled. */
function openSources({profile}: CompiledProfile, files: HostFiles): Outcome<MountSources, string> {
  const changed = overlayProblem(profile, files);
  return changed === undefined ? openMountSources(profile) : failed(changed);
}
