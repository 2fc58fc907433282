// The self-test of a call's profile, on backends that its escapes are meant for.
import type {SandboxProblem} from '../backends/sandbox-problem.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import type {ExecutorContext} from './executor-context.ts';
import {runTrial} from './run-trial.ts';

export interface ProfileTest {
  /** Undefined where none was made. */
  readonly digest?: string;
}

export async function testProfile(
  profile: CompiledProfile,
  {backend, selfTest}: Pick<ExecutorContext, 'backend' | 'selfTest'>,
): Promise<ProfileTest | SandboxProblem> {
  if (!backend.capabilities.selfTest) return {};
  return await selfTest.passed(profile, (argv) => runTrial({argv, profile}, backend));
}
