// Starts a runner inside bubblewrap: for the call at hand, or as a spare for one to come.
import {awaitReady} from '../warm-pool/spare.ts';
import {fileIdentities} from '../warm-pool/spare-key.ts';
import type {Filed} from '../warm-pool/stock.ts';
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
  /** Loaded before an invocation comes. */
  readonly module?: string;
  /** Prefix of a command line that starts it inside the network namespace it is to have. */
  readonly enterNetwork?: readonly string[];
  /** The same for a transaction's view, which is mounted instead of the sources. */
  readonly enterView?: readonly string[];
}

type Timing = Supervision & {readonly onPid?: (pid: number) => void};

/** For a module to load, before its spare is given up. */
const readyMs = 10_000;

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
    argv: runner.argv(profile.profile.limits, start.module),
    cwd: profile.workspaceRoot,
    ...(enterNetwork === undefined ? {} : {enterNetwork}),
    output: 'pipe',
    withWire: true,
  }).finally(() => sources.close());
}

/** Undefined when files changed meanwhile, or when the runner does not come up. */
export async function startSpare(start: RunnerStart): Promise<Filed | undefined> {
  const files = fileIdentities(start.profile);
  const sources = openSources(start.profile, start.files);
  if (typeof sources === 'string') return undefined;
  const spare = await awaitReady(await startRunner(start, sources, {timeoutMs: readyMs}));
  if (spare === undefined) return undefined;
  if (fileIdentities(start.profile) === files) return {files, spare};
  spare.runner.kill();
  return undefined;
}
