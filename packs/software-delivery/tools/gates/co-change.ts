// gate:co-change finds files that often changed together with the given ones, or with the current work's changes.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {findCoChanges, type CoChanges} from '../../gates/find-co-changes.ts';
import {changedPaths, forkPoint} from '../../git/changed-paths.ts';
import type {GrantContext} from '../../git/hidden-paths.ts';
import {literalPathspec, runGit, type GitContext} from '../../git/run-git.ts';
import {withScratchIndex} from '../../git/scratch-index.ts';
import {writeWorkingTree} from '../../git/stage-files.ts';
import type {PackConfig} from '../../pack-config.ts';
import {inCheckout} from '../../checkouts/in-checkout.ts';

interface CoChangeInput {
  /** Default: files that the work changed since the main branch. */
  readonly paths?: readonly string[];
  /** Maximum number of commits to read; default 1,000. */
  readonly max_commits?: number;
  /** Default 2. */
  readonly min_commits?: number;
  /** Default 0.3. */
  readonly min_share?: number;
  /** Default 50. */
  readonly limit?: number;
}

interface CoChangeOutput extends CoChanges {
  readonly paths: readonly string[];
}

export const gateCoChange: ToolDefinition<CoChangeInput, CoChangeOutput, PackConfig> = defineTool({
  async run(input, call) {
    const context = await inCheckout(call);
    const paths = input.paths ?? (await workInProgress(context, call.config));
    paths.forEach(literalPathspec);
    const {commits, together} = findCoChanges(await readHistory(context, input.max_commits ?? 1000), paths);
    const {min_commits: commitsMin = 2, min_share: shareMin = 0.3, limit = 50} = input;
    const frequent = together.filter((each) => each.commits >= commitsMin && each.share >= shareMin);
    return {paths, commits, together: frequent.slice(0, limit)};
  },
});

async function workInProgress(context: GitContext & GrantContext, config: PackConfig): Promise<readonly string[]> {
  const from = await forkPoint(context, config, 'HEAD');
  return await withScratchIndex(context, async (env) =>
    changedPaths(context, from, await writeWorkingTree(context, env), {env}),
  );
}

/** The paths of each commit. */
async function readHistory(context: GitContext, commitsMax: number): Promise<readonly (readonly string[])[]> {
  const args = [
    'log',
    '-z',
    '--no-merges',
    '--no-renames',
    '--name-only',
    `--max-count=${commitsMax}`,
    '--format=%x01',
  ];
  const {stdout} = await runGit(context, [...args, 'HEAD', '--'], {truncate: true});
  const commits = stdout.split('\u0001').slice(1);
  return commits.map((commit) =>
    commit
      .replace(/^\0\n?/, '')
      .split('\0')
      .slice(0, -1),
  );
}
