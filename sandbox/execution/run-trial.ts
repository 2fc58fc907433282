// Runs a command inside a profile in the same way as the runner of a call, to try what the sandbox allows.
import type {NetworkAttachment} from '../backends/network-attachment.ts';
import type {SandboxBackend} from '../backends/sandbox-backend.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {trialOutput} from '../backends/trial-output.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import {retriedOnce} from './retried-once.ts';

export interface Trial {
  readonly argv: readonly string[];
  /** Its limits are left out. */
  readonly profile: CompiledProfile;
  readonly network?: NetworkAttachment | undefined;
}

/** Returns what the command printed, or why it failed. */
export async function runTrial(
  {argv, profile, network}: Trial,
  backend: Pick<SandboxBackend, 'start'>,
): Promise<Outcome<string>> {
  const outcome = await backend.start({
    profile: {...profile, profile: {...profile.profile, limits: {}}},
    program: {kind: 'command', argv},
    network,
  });
  if (!outcome.ok) return outcome;
  const {exitCode, printed, said} = await trialOutput(outcome.value);
  if (exitCode === 0) return ok(printed);
  return failed(retriedOnce(outcome.value.setUpProblem({exitCode, stderr: said}) ?? trialFailed(said, exitCode)));
}

function trialFailed(said: string, exitCode: number): SandboxProblem {
  return {
    message: `a trial in the sandbox ended with exit code ${exitCode}${said === '' ? '' : ` (\`${said}\`)`}`,
    help: 'run `lumenflow sandbox doctor` to see what is missing',
  };
}
