// Reviews the rules of a workspace folder and its packs. It also works if failing examples prevent the workspace from loading.
import {KernelError, type Problem, type ReviewedRule} from '@lumenflow/kernel';
import {reviewPolicies} from '@lumenflow/kernel/adapters';
import {withLoadedWorkspace, type LoadRequest} from '../loading/with-loaded-workspace.ts';

export interface PolicyReview {
  /** In order of layers: workspace, lanes, packs. */
  readonly rules: readonly ReviewedRule[];
  readonly warnings: readonly Problem[];
}

/** Throws KernelError LOAD_FAILED with every problem except failing examples. */
export async function reviewWorkspacePolicies(request: LoadRequest): Promise<PolicyReview> {
  return await withLoadedWorkspace(request, (loaded) => {
    if (!loaded.ok) throw loadFailed(loaded.problem);
    const {source, ports, problems} = loaded.value;
    const others = problems.filter(({code}) => code !== 'POLICY_EXAMPLE_FAILED');
    if (others.some(({severity}) => severity === 'error')) throw loadFailed(others);
    return {rules: reviewPolicies(source, ports), warnings: others};
  });
}

function loadFailed(problems: readonly Problem[]): KernelError {
  return new KernelError('LOAD_FAILED', 'the workspace cannot be loaded', {problems});
}
