// Starts the program of a call in a container of an engine: the last check of what is mounted, then the launch.
import type {StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import {mountProblem} from '../linux/mount-problem.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {HostFiles} from '../profile/host-files.ts';
import type {PipedContainer, ProgramInside} from './launch-with-pipes.ts';

export interface EngineStart {
  readonly backend: string;
  readonly files: HostFiles;
  /** What no call has in full, for the receipt. */
  readonly degraded: readonly string[];
  launch(inside: ProgramInside): Promise<Outcome<PipedContainer>>;
}

export async function startInEngine(
  {profile, program, view}: StartRequest,
  {backend, files, degraded, launch}: EngineStart,
): Promise<Outcome<StartedRunner>> {
  const unfit = mountProblem(profile, view, files);
  if (unfit !== undefined) return failed(unfit);
  const launched = await launch({profile: view?.profile ?? profile.profile, program, cwd: profile.workspaceRoot});
  if (!launched.ok) return launched;
  const {hasBegun, bound: _, ...runner} = launched.value;
  return ok({
    ...runner,
    degraded: ['mounts: checked only before the start because the engine mounts paths', ...degraded],
    setUpProblem: ({exitCode, stderr}) =>
      exitCode === 0 || hasBegun()
        ? undefined
        : {
            message: `${backend} could not run the container (\`${stderr.trim().split('\n')[0] || `exit code ${exitCode}`}\`)`,
            help: 'run `lumenflow sandbox doctor` to see what is missing',
          },
  });
}
