// Starts a runner inside bubblewrap.
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {Supervision} from '../commands/process-guard.ts';
import type {HostFiles} from '../profile/host-files.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import {launchBubblewrap, type Launched} from './launch.ts';
import {openMountSources, type MountSources} from './open-mount-sources.ts';
import type {BubblewrapProbe} from './probe-bubblewrap.ts';
import {recheckOverlays} from './recheck-overlays.ts';

export interface RunnerStart {
  readonly probe: Extract<BubblewrapProbe, {readonly kind: 'ready'}>;
  readonly profile: CompiledProfile;
  readonly runner: RunnerProgram;
  readonly files: HostFiles;
  /** Gets ready before an invocation comes. */
  readonly handlerEntry?: string;
  /** Prefix of a command line that starts it inside the network namespace it is to have. */
  readonly enterNetwork?: readonly string[];
  /** The same for a transaction's view, which is mounted instead of the sources. */
  readonly enterView?: readonly string[];
}

type Timing = Supervision & {readonly onPid?: (pid: number) => void};

/** Text: what has changed since the profile was compiled. */
export function openSources({profile}: CompiledProfile, files: HostFiles): MountSources | string {
  return recheckOverlays(profile, files) ?? openMountSources(profile);
}

/** Closes the sources. */
export async function startRunner(start: RunnerStart, sources: MountSources, timing: Timing): Promise<Launched> {
  const {probe, profile, runner, enterNetwork, enterView} = start;
  return launchBubblewrap({
    ...timing,
    host: probe.host,
    filter: probe.filter,
    profile: profile.profile,
    // What is open is the workspace itself.
    ...(enterView === undefined ? {sources} : {enterView}),
    argv: runner.argv(profile.profile, start.handlerEntry),
    cwd: profile.workspaceRoot,
    ...(enterNetwork === undefined ? {} : {enterNetwork}),
    output: 'pipe',
    withWire: true,
  }).finally(() => sources.close());
}
