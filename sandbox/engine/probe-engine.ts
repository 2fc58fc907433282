// Tries what an engine enforces on this machine: a container is started with every protection, and a trial in it attempts escapes.
import {randomUUID} from 'node:crypto';
import {rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {makeOwnedFolder} from '../backends/leftover-folders.ts';
import type {AvailableReport} from '../backends/probe-report.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import {tierOf} from '../backends/security-tier.ts';
import {captureOutput} from '../commands/capture-output.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {spawnProcess} from '../commands/spawn-process.ts';
import type {GroupLimit} from '../limits/control-groups.ts';
import {trialProfile, trialScript, type TrialFacts} from '../oci/container-trial.ts';
import {foundGuarantees} from '../oci/found-guarantees.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {EngineClient} from './engine-client.ts';
import {lookAtEngine, type EngineHost} from './engine-host.ts';
import type {Engine} from './engines.ts';
import {launchEngineContainer} from './launch-engine-container.ts';
import {ensureImage} from './image/runner-image.ts';

export interface ReadyEngine {
  readonly host: EngineHost;
  readonly report: AvailableReport;
}

export interface EngineProbe {
  readonly engine: Engine;
  readonly client: EngineClient;
  readonly runner: Pick<RunnerProgram, 'nodePath' | 'runtimePaths'>;
  readonly executor: CommandExecutor;
  /** Default: the one that is built here. */
  readonly image: string | undefined;
}

const trialMs = 30_000;
const outputBytes = 64 * 1024;

export async function probeEngine(probe: EngineProbe): Promise<Outcome<ReadyEngine>> {
  const {engine, client, runner, executor, image} = probe;
  const architecture = process.arch;
  if (process.platform !== 'linux' || (architecture !== 'x64' && architecture !== 'arm64')) {
    return failed({
      message: `calls in ${engine.backend} do not run on ${process.platform} ${architecture}`,
      help: 'use Linux on x64 or arm64',
    });
  }
  const found = await lookAtEngine(engine, client, architecture);
  if (!found.ok) return found;
  const built =
    image === undefined ? await ensureImage(client, {nodePath: runner.nodePath, executor}) : ok({id: image});
  if (!built.ok) return built;
  const host = {...found.value, executor, image: built.value.id};
  const tried = await trial(host, runner);
  if (!tried.ok) return tried;
  const guarantees = foundGuarantees(tried.value.facts, {runtime: {filter: 'names'}, ...tried.value});
  return ok({
    host,
    report: {
      available: true,
      backend: engine.backend,
      tier: tierOf(guarantees),
      version: host.version,
      guarantees,
      gaps: gapsOf(host),
    },
  });
}

interface Tried {
  readonly facts: TrialFacts;
  readonly environment: readonly string[];
  readonly grouped: readonly GroupLimit[];
}

async function trial(
  host: EngineHost,
  {nodePath, runtimePaths}: Pick<RunnerProgram, 'nodePath' | 'runtimePaths'>,
): Promise<Outcome<Tried>> {
  const folder = await makeOwnedFolder(tmpdir(), 'lumenflow-trial');
  const canaryPath = join(folder, 'canary');
  const profile = trialProfile(runtimePaths);
  const mark = randomUUID();
  // A process outside, which nothing inside may see.
  const outside = await spawnProcess({
    command: '/bin/sh',
    args: ['-c', 'read -r _', mark],
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  try {
    await writeFile(canaryPath, 'canary');
    const script = trialScript({canaryPath, mark});
    const argv = ['/bin/sh', '-c', `${readBounds}\nexec "$@"`, 'sh', nodePath, '-e', script];
    const printed = await runTrial({host, profile, program: {kind: 'command', argv}, cwd: '/tmp'});
    if (!printed.ok) return printed;
    const [bounds = '', ...facts] = printed.value.split('\n');
    const {memory_bytes, processes = 0} = profile.limits;
    const [memory, tasks] = bounds.split(' ').map(Number);
    return ok({
      facts: JSON.parse(facts.join('\n')) as TrialFacts,
      environment: Object.keys(profile.env),
      grouped: [
        ...(memory === memory_bytes ? (['memory_bytes'] as const) : []),
        ...(tasks !== undefined && tasks >= processes ? (['processes'] as const) : []),
      ],
    });
  } finally {
    outside.kill();
    await rm(folder, {recursive: true, force: true});
  }
}

/** Prints the limits of its control group, of either version, in one line. */
const readBounds = `cd /sys/fs/cgroup
echo "$(cat memory/memory.limit_in_bytes memory.max 2>/dev/null) $(cat pids/pids.max pids.max 2>/dev/null)"
cd /
unset PWD OLDPWD`;

async function runTrial(input: Parameters<typeof launchEngineContainer>[0]): Promise<Outcome<string>> {
  const launched = await launchEngineContainer(input);
  if (!launched.ok) return launched;
  const {stdout, stderr, ended, kill} = launched.value;
  const timer = setTimeout(kill, trialMs);
  const [printed, complaints] = [stdout, stderr].map((stream) =>
    stream === undefined ? () => ({text: ''}) : captureOutput(stream, outputBytes),
  ) as [() => {text: string}, () => {text: string}];
  const {exitCode, startError} = await ended;
  clearTimeout(timer);
  if (exitCode === 0) return ok(printed().text);
  const said = (startError ?? complaints().text).trim().split('\n')[0] ?? '';
  return failed({
    message: `a trial in ${input.host.engine.backend} ended with exit code ${exitCode}${said === '' ? '' : ` (\`${said}\`)`}`,
    help: 'correct the configuration of the engine: it must run on this machine and mount its folders',
  });
}

function gapsOf({engine, user}: EngineHost): readonly SandboxProblem[] {
  const {backend} = engine;
  return [
    {
      message: `${backend} mounts paths, so mounts are checked only before the start`,
      help: 'use `bubblewrap` 0.10 or later where calls run beside calls that write to the same folders',
    },
    {
      message: `${backend} filters only the system calls that its libseccomp has names for`,
      help: 'use `crun` or `gvisor`, which filter all of them',
    },
    ...(user.uid === 0 && process.geteuid?.() === 0
      ? [
          {
            message: `the user inside is root of the host, without capabilities`,
            help: 'run the host and a rootless engine as an ordinary user',
          },
        ]
      : []),
  ];
}
