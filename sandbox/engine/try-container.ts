// A trial in a container of an engine: what it finds out about the protection there.
import {randomUUID} from 'node:crypto';
import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {makeTrialFolder} from '../backends/trial-folders.ts';
import {trialOutput} from '../backends/trial-output.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import {spawnProcess} from '../commands/spawn-process.ts';
import type {GroupLimit} from '../limits/control-groups.ts';
import {trialProfile, trialScript, type TrialFacts} from '../oci/container-trial.ts';
import {noTrialFacts, trialFacts} from '../oci/trial-facts.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {PipedContainer, ProgramInside} from './launch-with-pipes.ts';

export interface ContainerTrial {
  readonly backend: string;
  readonly runner: Pick<RunnerProgram, 'nodePath' | 'runtimePaths'>;
  launch(trial: ProgramInside): Promise<Outcome<TrialContainer>>;
}

export type TrialContainer = Pick<PipedContainer, 'stdout' | 'stderr' | 'ended' | 'kill' | 'bound'>;

const groupLimits: readonly GroupLimit[] = ['memory_bytes', 'processes'];

export interface TriedContainer {
  readonly facts: TrialFacts;
  readonly environment: readonly string[];
  readonly grouped: readonly GroupLimit[];
}

export async function tryContainer(input: ContainerTrial): Promise<Outcome<TriedContainer>> {
  const {nodePath, runtimePaths} = input.runner;
  const folder = await makeTrialFolder();
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
    const printed = await printedBy(input, {profile, program: {kind: 'command', argv}, cwd: '/tmp'});
    if (!printed.ok) return printed;
    const [bounds = '', ...facts] = printed.value.text.split('\n');
    const [memory, tasks] = bounds.split(' ').map(Number);
    const found = trialFacts(facts.join('\n'));
    if (found === undefined) return failed(trialFailed(input.backend, `failed (\`${noTrialFacts}\`)`));
    const inside = {memory_bytes: memory, processes: tasks};
    return ok({
      facts: found,
      environment: Object.keys(profile.env),
      grouped: groupLimits.filter((limit) =>
        [inside[limit], printed.value.outside[limit]].some((bound) =>
          isBoundBy(bound, profile.limits[limit], slack[limit]),
        ),
      ),
    });
  } finally {
    outside.kill();
    await rm(folder, {recursive: true, force: true});
  }
}

/** Some runtimes need a part of a limit for themselves, or several tasks for each of the call. */
const slack: Readonly<Record<GroupLimit, number>> = {memory_bytes: 2, processes: 8};

function isBoundBy(bound: number | undefined, limit: number | undefined, factor: number): boolean {
  return bound !== undefined && limit !== undefined && limit <= bound && bound < factor * limit;
}

/** Prints the limits of its control group, of either version, in one line. */
const readBounds = `cd /sys/fs/cgroup
echo "$(cat memory/memory.limit_in_bytes memory.max 2>/dev/null) $(cat pids/pids.max pids.max 2>/dev/null)"
cd /
unset PWD OLDPWD`;

interface Printed {
  readonly text: string;
  /** The bounds of its control group, where they can be read from outside. */
  readonly outside: Readonly<Partial<Record<GroupLimit, number | undefined>>>;
}

async function printedBy({backend, launch}: ContainerTrial, trial: ProgramInside): Promise<Outcome<Printed>> {
  const launched = await launch(trial);
  if (!launched.ok) return launched;
  const outside = Object.fromEntries(groupLimits.map((limit) => [limit, launched.value.bound(limit)]));
  const {exitCode, printed, said} = await trialOutput(launched.value);
  if (exitCode === 0) return ok({text: printed, outside});
  return failed(trialFailed(backend, `ended with exit code ${exitCode}${said === '' ? '' : ` (\`${said}\`)`}`));
}

function trialFailed(backend: string, how: string): SandboxProblem {
  return {
    message: `a trial in ${backend} ${how}`,
    help: 'correct the configuration of the engine: it must run on this machine and mount its folders',
  };
}
