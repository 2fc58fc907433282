// Finds work units that were merged, in a clone whose log does not have them: their branches begin with a commit that adds the spec, so a
// main branch with this commit has the work.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {mainBranch} from '../git/main-branch.ts';
import {runGit} from '../git/run-git.ts';
import type {PackConfig} from '../pack-config.ts';
import {specFolder} from '../work-units/spec-place.ts';
import {specSubject} from '../work-units/spec-subject.ts';

type MergedContext = Pick<ToolContext<PackConfig>, 'config' | 'exec' | 'workspace_root'>;

/** Ids. Empty without a repository or a main branch. */
export async function mergedUnits(context: MergedContext): Promise<ReadonlySet<string>> {
  const isRepository = await runGit(context, ['rev-parse', '--verify', '--quiet', 'HEAD'], {exit_codes: [0, 1, 128]});
  if (isRepository.exit_code !== 0) return new Set();
  const main = await mainBranch(context, context.config);
  const subject = specSubject('');
  const args = ['log', '--format=%s', `--grep=^${subject}`, `refs/heads/${main}`, '--', specFolder(context.config)];
  const {exit_code: code, stdout} = await runGit(context, args, {exit_codes: [0, 128], max_bytes: 64 * 1024 * 1024});
  if (code !== 0) return new Set();
  const subjects = stdout.split('\n').filter((line) => line.startsWith(subject));
  return new Set(subjects.map((line) => line.slice(subject.length)));
}
