// Starts the program of a call in a container of an engine: the last check of what is mounted, then the launch.
import type {StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import {mountProblem} from '../linux/mount-problem.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {HostFiles} from '../profile/host-files.ts';
import type {EngineHost} from './engine-host.ts';
import {launchEngineContainer} from './launch-engine-container.ts';

export interface EngineContext {
  readonly host: EngineHost;
  readonly files: HostFiles;
}

export async function startInEngine(
  {profile, program, network, view}: StartRequest,
  {host, files}: EngineContext,
): Promise<Outcome<StartedRunner>> {
  const unfit = mountProblem(profile, view, files);
  if (unfit !== undefined) return failed(unfit);
  const launched = await launchEngineContainer({
    host,
    profile: view?.profile ?? profile.profile,
    program,
    cwd: profile.workspaceRoot,
    network: network?.kind === 'namespace' ? network.home?.name : undefined,
  });
  if (!launched.ok) return launched;
  const {hasBegun, ...runner} = launched.value;
  const {backend} = host.engine;
  return ok({
    ...runner,
    degraded: [mountsText, usersText],
    setUpProblem: ({exitCode, stderr}) =>
      exitCode === 0 || hasBegun()
        ? undefined
        : {
            message: `${backend} could not run the container (\`${stderr.trim().split('\n')[0] || `exit code ${exitCode}`}\`)`,
            help: 'run `lumenflow sandbox doctor` to see what is missing',
          },
  });
}

const mountsText = 'mounts: checked only before the start because the engine mounts paths';
const usersText = 'users: the container shares the user namespace of its engine; its user has no capabilities';
