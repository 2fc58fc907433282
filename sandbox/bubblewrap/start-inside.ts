// Starts a program inside bubblewrap: the last check of what is mounted and hidden, then the launch.
import {programArgv} from '../backends/program-argv.ts';
import type {StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {HostFiles} from '../profile/host-files.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import {degradedItems} from './degraded-items.ts';
import {captureOutput} from '../commands/capture-output.ts';
import {explainFailure} from './explain-failure.ts';
import {launchBubblewrap, type Launched} from './launch.ts';
import {openMountSources, type MountSources} from '../linux/open-mount-sources.ts';
import type {ReadyProbe} from './probe-bubblewrap.ts';
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
  const problem = await mountProblem(view, launched);
  if (problem !== undefined) return failed(problem);
  return ok({
    ...launched,
    degraded: degradedItems({unenforced: launched.unenforced, host}),
    // The error message and exit code of bwrap.
    setUpProblem: ({exitCode, stderr}) =>
      exitCode === 1 && stderr.startsWith('bwrap: ') ? explainFailure(stderr) : undefined,
  });
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

const mountMs = 10_000;

const noSources: MountSources = {fds: new Map(), close: () => undefined};

/** The problem is what has changed since the profile was compiled. */
function openSources({profile}: CompiledProfile, files: HostFiles): Outcome<MountSources, string> {
  const changed = overlayProblem(profile, files);
  return changed === undefined ? openMountSources(profile) : failed(changed);
}
