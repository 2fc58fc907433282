import type {StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import {captureOutput} from '../commands/capture-output.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {AwaitedView} from './await-view.ts';

const mountMs = 10_000;

/** Of a view that what was launched mounts itself. Then nothing is left of the start. */
export async function viewProblem(
  view: StartRequest['view'],
  launched: Pick<StartedRunner, 'pid' | 'kill' | 'ended' | 'stderr'>,
  mounted: AwaitedView | undefined,
): Promise<SandboxProblem | undefined> {
  // A process that did not start reports the reason itself.
  if (view?.entered === undefined || mounted === undefined || launched.pid === undefined) return undefined;
  const {isMounted, proceed, isLookedAt} = mounted;
  const timer = setTimeout(() => launched.kill(), mountMs);
  const hasView = await isMounted;
  clearTimeout(timer);
  if (hasView) {
    const entered = await view.entered(launched.pid, proceed);
    isLookedAt();
    if (entered.ok) return undefined;
    launched.kill();
    await launched.ended;
    return entered.problem;
  }
  const errors = launched.stderr ? captureOutput(launched.stderr, 4000) : () => ({text: ''});
  isLookedAt();
  await launched.ended;
  const why = errors().text.trim().split('\n')[0] ?? '';
  return {
    message: `the private view of the workspace could not be mounted (\`${why}\`)`,
    help: 'retry the call',
    retryable: true,
  };
}
