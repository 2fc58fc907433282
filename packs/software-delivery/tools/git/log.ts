// git:log lists commits, newest first.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {requireReadable} from '../../git/hidden-paths.ts';
import {logFormat, parseLog, type Commit} from '../../git/parse-log.ts';
import {pathArguments, runGit} from '../../git/run-git.ts';
import {inCheckout} from '../../checkouts/in-checkout.ts';

interface GitLogInput {
  /** A revision or a range such as `main..topic`; default HEAD. */
  readonly revision?: string;
  readonly paths?: readonly string[];
  /** Default 20. */
  readonly limit?: number;
  readonly skip?: number;
  /** Dates in any format that git accepts, for example `2026-01-31` or `2 weeks ago`. */
  readonly since?: string;
  readonly until?: string;
  /** Literal text in the author's name or email. */
  readonly author?: string;
}

interface GitLogOutput {
  readonly commits: readonly Commit[];
  /** There are older commits. */
  readonly more: boolean;
}

export const gitLog: ToolDefinition<GitLogInput, GitLogOutput> = defineTool({
  async run(input, call) {
    const context = await inCheckout(call);
    await requireReadable(context, input.paths);
    const {limit = 20, skip = 0, revision = 'HEAD'} = input;
    if (input.revision === undefined && !(await hasCommits(context))) return {commits: [], more: false};
    const args = [
      'log',
      '-z',
      logFormat,
      '--encoding=UTF-8',
      '--no-show-signature',
      '--fixed-strings',
      `--max-count=${limit + 1}`,
      `--skip=${skip}`,
      ...(['since', 'until', 'author'] as const).flatMap((key) =>
        input[key] === undefined ? [] : [`--${key}=${input[key]}`],
      ),
      '--end-of-options',
      revision,
      ...pathArguments(input.paths),
    ];
    const {stdout, truncated} = await runGit(context, args, {truncate: true});
    const commits = parseLog(stdout);
    return {commits: commits.slice(0, limit), more: truncated || commits.length > limit};
  },
});

async function hasCommits(context: Parameters<typeof runGit>[0]): Promise<boolean> {
  const args = ['rev-parse', '--verify', '--quiet', 'HEAD'];
  return (await runGit(context, args, {exit_codes: [0, 1]})).exit_code === 0;
}
