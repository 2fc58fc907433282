// Starts the program of a call on a worker. The profile is compiled here: from the host come only paths as they are inside, limits,
// the environment and the network; what is mounted there, and by which programs, the worker decides.
import {createHash} from 'node:crypto';
import type {SandboxProfile} from '@lumenflow/schemas';
import {validateSandboxProfile} from '@lumenflow/schemas/validators';
import type {AvailableReport} from '../backends/probe-report.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {SandboxBackend} from '../backends/sandbox-backend.ts';
import {startForCall} from '../execution/start-with-resources.ts';
import {testProfile} from '../execution/test-profile.ts';
import type {AgentProgram} from '../guest/agent/run-agent.ts';
import type {HostMessage} from '../guest/guest-messages.ts';
import {guestProfile} from '../guest/guest-profile.ts';
import type {SandboxNetwork} from '../network/create-sandbox-network.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import {baseEnv} from '../profile/base-env.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import {uncheckedProfile} from '../profile/unchecked-profile.ts';
import type {SelfTest} from '../self-test/create-self-test.ts';
import type {RunnerWithResources} from '../warm-pool/spare.ts';
import {isWithin} from '../profile/host-paths.ts';

export interface WorkerMechanism {
  readonly backend: SandboxBackend;
  readonly report: AvailableReport;
  readonly runner: RunnerProgram;
  readonly network: SandboxNetwork;
  readonly selfTest: SelfTest;
  /** Network entries that calls may have at most; undefined: those of their hosts. */
  readonly networkMax: readonly string[] | undefined;
}

export interface ProgramOnWorker extends AgentProgram {
  /** Of the profile that the host sent. */
  readonly profileDigest: string;
  readonly network: RunnerWithResources['network'];
  kill(): void;
}

type StartMessage = Extract<HostMessage, {type: 'start'}>;

export async function startOnBackend(
  message: StartMessage,
  {filesFolder, mechanism}: {readonly filesFolder: string; readonly mechanism: WorkerMechanism},
): Promise<Outcome<ProgramOnWorker>> {
  const {backend, runner, network} = mechanism;
  if (!message.withWire)
    return failed({message: 'a worker runs tools only', help: 'update LumenFlow on both machines'});
  const compiled = compile(message, filesFolder, mechanism);
  if (!compiled.ok) return compiled;
  const profile = compiled.value;
  const tested = await testProfile({profile}, {backend, selfTest: mechanism.selfTest});
  if (!tested.ok) return tested;
  const waiting = message.waiting && {waiting: message.waiting};
  const started = await startForCall(
    {profile, program: {kind: 'runner', runner, ...waiting}, transaction: undefined},
    {backend, network},
  );
  if (!started.ok) return started;
  const {degraded, ...program} = started.value;
  return ok({...program, grouped: [], unenforced: degraded, profileDigest: profile.digest});
}

function compile(
  {profile: sent, cwd}: StartMessage,
  filesFolder: string,
  {runner, report, networkMax}: WorkerMechanism,
): Outcome<CompiledProfile> {
  if (!validateSandboxProfile(sent)) return failed(invalid('the profile is not valid'));
  const mounts = [...sent.readonly_bind_mounts, ...sent.writable_bind_mounts];
  if (![cwd, ...mounts.map(({target}) => target)].every(isPath)) return failed(invalid('a path is not absolute'));
  const posture = sent.network_posture;
  const strength = report.guarantees[`network_${posture}`];
  if (strength !== 'enforced') {
    const message = `the worker's backend \`${report.backend}\` does not enforce \`network_${posture}\` (it is ${strength})`;
    return failed({message, help: 'use another worker, or another network scope'});
  }
  const refused = sent.network_allowlist.find((entry) => networkMax?.includes(entry) === false);
  if (posture === 'full' && networkMax !== undefined) return failed(notAllowed('the whole network'));
  if (refused !== undefined) return failed(notAllowed(`\`${refused}\``));
  const own = runner.runtimePaths.map((path) => ({source: path, target: path}));
  const placed = guestProfile(sent, {filesFolder, provides: () => false});
  const profile: SandboxProfile = {
    ...placed,
    readonly_bind_mounts: [
      ...placed.readonly_bind_mounts.filter(({target}) => !own.some((mount) => isWithin(target, mount.target))),
      ...own,
    ],
    env: {...baseEnv(runner), ...sent.env},
  };
  const digest = `sha256:${createHash('sha256').update(JSON.stringify(sent)).digest('hex')}`;
  return ok({...uncheckedProfile(profile, cwd), digest});
}

function isPath(path: string): boolean {
  return path.startsWith('/') && !path.includes('\0') && !path.split('/').some((name) => name === '..' || name === '.');
}

function invalid(message: string): {readonly message: string; readonly help: string} {
  return {message: `the host sent an invalid request: ${message}`, help: 'update LumenFlow on both machines'};
}

function notAllowed(what: string): {readonly message: string; readonly help: string} {
  return {message: `the worker does not allow ${what} (\`--network\`)`, help: 'use another worker, or allow it there'};
}
