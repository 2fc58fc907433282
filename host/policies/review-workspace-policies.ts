// Reviews the rules of a workspace folder and its packs. It starts no kernel and touches no state, so it also works if failing
// examples prevent the workspace from loading.
import {KernelError, type Problem, type ReviewedRule} from '@lumenflow/kernel';
import {compileWorkspace, reviewPolicies} from '@lumenflow/kernel/adapters';
import {compileRegex, createSchemaCompiler, readWorkspace} from '@lumenflow/kernel/node';
import {realpathSync} from 'node:fs';
import {createPackSource} from '../packs/pack-source.ts';
import {version} from '../version.ts';
import {trackedOverlays} from '../workspace-checks/tracked-overlays.ts';

export interface PolicyReviewRequest {
  /** The folder that contains workspace.yaml. */
  readonly workspaceRoot: string;
  /** The environment for PATH and NODE_ENV; default empty. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface PolicyReview {
  /** In order of layers: workspace, lanes, packs. */
  readonly rules: readonly ReviewedRule[];
  readonly warnings: readonly Problem[];
}

/** Throws KernelError LOAD_FAILED with every problem except failing examples. */
export async function reviewWorkspacePolicies({workspaceRoot, env = {}}: PolicyReviewRequest): Promise<PolicyReview> {
  const root = realpathSync(workspaceRoot);
  const policyPorts = {
    compileRegex,
    monotonic: () => performance.now(),
    compileSchema: createSchemaCompiler().compileLater,
  };
  const outcome = await readWorkspace({root, env});
  if (!outcome.ok) throw loadFailed(outcome.problem);
  const read = outcome.value;
  const packs = createPackSource({workspaceRoot: root, lumenflowVersion: version});
  try {
    const configs = Object.fromEntries(read.extraKeys.map(({key, value}) => [key, value]));
    const loaded = await packs.load({pins: read.spec.packs, configs, locate: read.locate});
    const source = {...read, packs: loaded.packs};
    const compiled = compileWorkspace(source, policyPorts);
    const {holes} = compiled.workspace;
    const tracked = await trackedOverlays({workspaceRoot: root, holes, searchPath: env['PATH'] ?? ''});
    const found = [...read.problems, ...loaded.problems, ...compiled.problems, ...tracked];
    const problems = found.filter(({code}) => code !== 'POLICY_EXAMPLE_FAILED');
    if (problems.some(({severity}) => severity === 'error')) throw loadFailed(problems);
    return {rules: reviewPolicies(source, policyPorts), warnings: problems};
  } finally {
    packs.close();
  }
}

function loadFailed(problems: readonly Problem[]): KernelError {
  return new KernelError('LOAD_FAILED', 'the workspace cannot be loaded', {problems});
}
