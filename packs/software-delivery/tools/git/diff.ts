// git:diff returns changed files with line counts, and the patch, between two of: commits, index, working tree.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {findCommit} from '../../git/find-commit.ts';
import {requireReadable} from '../../git/hidden-paths.ts';
import {parseDiff, type ChangedFile} from '../../git/parse-diff.ts';
import {diffArguments} from '../../git/read-staged.ts';
import {pathArguments, runGit, type GitContext} from '../../git/run-git.ts';
import {visiblePathspecs} from '../../git/visible-pathspecs.ts';
import {inCheckout} from '../../checkouts/in-checkout.ts';

interface GitDiffInput {
  /** A revision. Default: the index, with `staged` HEAD. */
  readonly from?: string;
  /** A revision. Default: the working tree, with `staged` the index. */
  readonly to?: string;
  readonly staged?: boolean;
  readonly paths?: readonly string[];
  /** Default true. */
  readonly patch?: boolean;
  /** Default 3. */
  readonly context_lines?: number;
  /** Maximum bytes of patch; default 256 KiB. */
  readonly max_bytes?: number;
}

interface GitDiffOutput {
  readonly files: readonly ChangedFile[];
  readonly additions: number;
  readonly deletions: number;
  /** Unified diff. */
  readonly patch?: string;
  /** `max_bytes` cut the patch. */
  readonly truncated: boolean;
}

export const gitDiff: ToolDefinition<GitDiffInput, GitDiffOutput> = defineTool({
  async run(input, call) {
    const context = await inCheckout(call);
    await requireReadable(context, input.paths);
    const sides = await selectSides(context, input);
    const visible = await visiblePathspecs(context, diffArguments, sides);
    const args = [...diffArguments, '--raw', '--numstat', '-z', ...sides, ...visible];
    const files = parseDiff((await runGit(context, args)).stdout);
    const sum = (key: 'additions' | 'deletions'): number => files.reduce((total, file) => total + (file[key] ?? 0), 0);
    const totals = {files, additions: sum('additions'), deletions: sum('deletions')};
    if (input.patch === false) return {...totals, truncated: false};
    const format = ['--patch', '--src-prefix=a/', '--dst-prefix=b/', `--unified=${input.context_lines ?? 3}`];
    const bounds = {max_bytes: input.max_bytes ?? 256 * 1024, truncate: true};
    const {stdout, truncated} = await runGit(context, [...diffArguments, ...format, ...sides, ...visible], bounds);
    return {...totals, patch: stdout, truncated};
  },
});

async function selectSides(context: GitContext, {from, to, staged, paths}: GitDiffInput): Promise<readonly string[]> {
  if (to !== undefined && (from === undefined || staged === true)) {
    throw new ToolError('INVALID_INPUT', '`to` needs `from`, and `staged` excludes both', {from, to, staged});
  }
  const revisions: string[] = [];
  // Only commits: a file or folder such as `HEAD:secrets` would have paths without their context.
  for (const revision of [from, to]) if (revision !== undefined) revisions.push(await findCommit(context, revision));
  return [...(staged === true ? ['--cached'] : []), '--end-of-options', ...revisions, ...pathArguments(paths)];
}
