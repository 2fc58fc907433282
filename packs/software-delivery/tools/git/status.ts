// git:status returns the branch, its upstream, and changed, staged, conflicting or untracked files. Writes nothing.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {hiddenAmong, requireReadable} from '../../git/hidden-paths.ts';
import {parseStatus, type RepositoryStatus, type StatusEntry} from '../../git/parse-status.ts';
import {pathArguments, runGit} from '../../git/run-git.ts';
import {inCheckout} from '../../checkouts/in-checkout.ts';

interface GitStatusInput {
  readonly paths?: readonly string[];
  /** normal (default) lists directories of untracked files, all lists each file. */
  readonly untracked?: 'normal' | 'all' | 'none';
  readonly include_ignored?: boolean;
  /** Default 1,000. */
  readonly max_entries?: number;
}

interface GitStatusOutput extends RepositoryStatus {
  /** Nothing changed, conflicted or untracked. */
  readonly clean: boolean;
  readonly truncated: boolean;
}

export const gitStatus: ToolDefinition<GitStatusInput, GitStatusOutput> = defineTool({
  async run(input, call) {
    const context = await inCheckout(call);
    await requireReadable(context, input.paths);
    const untracked = input.untracked === 'none' ? 'no' : (input.untracked ?? 'normal');
    const args = [
      'status',
      '--porcelain=v2',
      '--branch',
      '-z',
      `--untracked-files=${untracked}`,
      '--find-renames',
      '--ignore-submodules=none',
      ...(input.include_ignored === true ? ['--ignored=traditional'] : []),
      ...pathArguments(input.paths),
    ];
    const {stdout, truncated} = await runGit(context, args, {truncate: true});
    const found = parseStatus(stdout);
    const hidden = await hiddenAmong(
      context,
      found.entries.flatMap(({path, orig_path: from}) => [path, from ?? path]),
    );
    const isVisible = ({path, orig_path: from}: StatusEntry): boolean => !hidden.has(path) && !hidden.has(from ?? path);
    const status = {...found, entries: found.entries.filter(isVisible)};
    const entries = status.entries.slice(0, input.max_entries ?? 1000);
    return {
      ...status,
      entries,
      clean: status.entries.every(({kind}) => kind === 'ignored'),
      truncated: truncated || entries.length < status.entries.length,
    };
  },
});
