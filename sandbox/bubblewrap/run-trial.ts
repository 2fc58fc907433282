// Runs a trial inside a profile as a call would be run, but without its network and limits.
import type {SandboxProblem} from '../backends/sandbox-problem.ts';
import {captureOutput} from '../commands/bounded-output.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import {explainFailure} from './explain-failure.ts';
import {launchBubblewrap} from './launch.ts';
import {openSources, type RunnerStart} from './start-runner.ts';

const trialMs = 20_000;
const outputBytes = 64 * 1024;

/** What the command printed, or why it could not be run. */
export async function runTrial(
  argv: readonly string[],
  profile: CompiledProfile,
  {probe, files}: Pick<RunnerStart, 'probe' | 'files'>,
): Promise<string | SandboxProblem> {
  const sources = openSources(profile, files);
  if (typeof sources === 'string') {
    return {message: `a mount changed before the start: ${sources}`, help: 'call again', retryable: true};
  }
  const launched = await launchBubblewrap({
    host: probe.host,
    filter: probe.filter,
    profile: {...profile.profile, limits: {}},
    sources,
    argv,
    cwd: profile.workspaceRoot,
    output: 'pipe',
    withWire: false,
    timeoutMs: trialMs,
  }).finally(() => sources.close());
  const [stdout, stderr] = [launched.stdout, launched.stderr].map((stream) =>
    stream === undefined ? () => ({text: ''}) : captureOutput(stream, outputBytes),
  );
  const {exitCode, startError} = await launched.ended;
  if (exitCode !== 0) return explainFailure(startError ?? stderr?.().text ?? '');
  return stdout?.().text ?? '';
}
