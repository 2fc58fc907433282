// The self-test of a call's profile, on backends that its escapes apply to.
import {existsSync} from 'node:fs';
import type {SandboxRequest} from '../backends/sandbox-call.ts';
import {ok, type Outcome} from '../outcome.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import type {ExecutorContext} from './executor-context.ts';
import {runTrial} from './run-trial.ts';

export interface ProfileTest {
  /** Undefined where none was made. */
  readonly digest?: string;
}

export async function testProfile(
  {profile, transaction}: Pick<SandboxRequest, 'profile' | 'transaction'>,
  {backend, selfTest}: Pick<ExecutorContext, 'backend' | 'selfTest'>,
): Promise<Outcome<ProfileTest>> {
  if (!backend.capabilities.selfTest) return ok({});
  const {sharesUsers} = backend.capabilities;
  const trialKey = await backend.trialKey?.();
  const tried = transaction === undefined ? profile : withoutAbsent(profile);
  return await selfTest.passed(profile, (argv) => runTrial({argv, profile: tried}, backend), {sharesUsers, trialKey});
}

/** A nested call may be granted what only its caller's view has. The test is made without the view, and loses only grants. */
function withoutAbsent({profile, ...compiled}: CompiledProfile): CompiledProfile {
  const isThere = ({source}: {readonly source: string}): boolean => existsSync(source);
  return {
    ...compiled,
    profile: {
      ...profile,
      writable_bind_mounts: profile.writable_bind_mounts.filter(isThere),
      readonly_bind_mounts: profile.readonly_bind_mounts.filter(isThere),
      deny_overlays: profile.deny_overlays.filter(({path}) => existsSync(path)),
    },
  };
}
