// macOS's default backend: each call runs under sandbox-exec with its own profile text. Rules apply to the path that an operation
// reaches at that time: a symlink planted after the profile was compiled leads to a denied path.
import {programArgv} from '../backends/program-argv.ts';
import {rememberProbe} from '../backends/remember-probe.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {SandboxBackend, StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {startProcess} from '../backends/start-process.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {buildSbpl} from './build-sbpl.ts';
import {makeCallFolder, reapCallFolders, type CallFolder} from './call-folder.ts';
import {degradedItems} from './degraded-items.ts';
import {probeSeatbelt} from './probe-seatbelt.ts';
import {ulimitCommand} from './ulimit-command.ts';

export interface SeatbeltOptions {
  /** What the probe runs. */
  readonly runner: Pick<RunnerProgram, 'nodePath' | 'runtimePaths'>;
  readonly executor: CommandExecutor;
  /** The directory in which each call gets its own folder. */
  readonly temporaryRoot: string;
  /** Absolute path of sandbox-exec. */
  readonly programPath: string;
}

export function createSeatbeltBackend(options: SeatbeltOptions): SandboxBackend {
  const probe = rememberProbe(
    () => probeSeatbelt(options),
    ({available}) => available,
  );
  return {
    name: 'seatbelt',
    // A spare would need its own folder and text until its call arrives.
    capabilities: {
      spares: false,
      views: false,
      network: 'proxy',
      selfTest: false,
      killsAtOnce: false,
      lacks: ['system_calls', 'kernel'],
    },
    probe,
    async start(request) {
      const report = await probe();
      return report.available ? await startConfined(request, options) : failed(report.problem);
    },
    reap: () => reapCallFolders(options.temporaryRoot),
    close: async () => undefined,
  };
}

async function startConfined(request: StartRequest, options: SeatbeltOptions): Promise<Outcome<StartedRunner>> {
  const folder = await makeCallFolder(options.temporaryRoot);
  try {
    const outcome = await startIn(folder, request, options);
    if (!outcome.ok) {
      await folder.remove();
      return outcome;
    }
    const started = outcome.value;
    const ended = started.ended.then(async (end) => {
      await folder.remove();
      return end;
    });
    return ok({...started, ended});
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

async function startIn(
  folder: CallFolder,
  {profile: compiled, program, network}: StartRequest,
  options: SeatbeltOptions,
): Promise<Outcome<StartedRunner>> {
  const proxy = network?.kind === 'proxy' ? network : undefined;
  const text = buildSbpl({
    compiled,
    temporaryFolder: folder.temporaryFolder,
    brokerPort: proxy?.port,
  });
  if (!text.ok) return failed({message: text.problem, help: 'rename it'});
  await folder.write(text.value);
  const {profile, workspaceRoot} = compiled;
  const started = await startProcess({
    command: options.programPath,
    args: ['-f', folder.profilePath, ...ulimitCommand(programArgv(program, profile), profile.limits)],
    cwd: workspaceRoot,
    env: {...(profile.env as Record<string, string>), ...folder.env, ...proxy?.env},
    withWire: program.kind === 'runner',
    degraded: degradedItems(profile),
    setUpProblem: ({stderr}) => (stderr.startsWith('sandbox-exec: ') ? setUpProblem(stderr) : undefined),
  });
  return ok(started);
}

function setUpProblem(stderr: string): SandboxProblem {
  return {
    message: `sandbox-exec could not set up the sandbox (\`${stderr.trim().split('\n')[0] ?? ''}\`)`,
    help: 'run `lumenflow sandbox doctor` to see what is missing',
  };
}
