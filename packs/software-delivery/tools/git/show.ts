// git:show returns a commit with its changes, or a file as of a commit.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {cutText} from '../../files/text-content.ts';
import {parseDiff, type ChangedFile} from '../../git/parse-diff.ts';
import type {Commit} from '../../git/parse-log.ts';
import {requireReadable} from '../../git/hidden-paths.ts';
import {readCommit} from '../../git/read-commit.ts';
import {diffArguments} from '../../git/read-staged.ts';
import {visiblePathspecs} from '../../git/visible-pathspecs.ts';
import {literalPathspec, runGit, type GitContext} from '../../git/run-git.ts';
import {inCheckout} from '../../checkouts/in-checkout.ts';

interface GitShowInput {
  /** Default HEAD. */
  readonly revision?: string;
  /** A file: its content in that commit. */
  readonly path?: string;
  /** Default true. For a commit only. */
  readonly patch?: boolean;
  /** Maximum bytes of patch or content; default 256 KiB. */
  readonly max_bytes?: number;
}

interface GitShowOutput {
  readonly commit: Commit;
  /** Compared with the first parent. */
  readonly files?: readonly ChangedFile[];
  readonly patch?: string;
  /** Content of the requested file, as UTF-8. */
  readonly content?: string;
  readonly truncated: boolean;
}

export const gitShow: ToolDefinition<GitShowInput, GitShowOutput> = defineTool({
  async run(input, call) {
    const context = await inCheckout(call);
    const commit = await readCommit(context, input.revision ?? 'HEAD');
    const bytesMax = input.max_bytes ?? 256 * 1024;
    if (input.path !== undefined) await requireReadable(context, [input.path]);
    if (input.path !== undefined) return {commit, ...(await readFileOf(context, commit.sha, input.path, bytesMax))};
    const tree = [
      'diff-tree',
      '--root',
      '-r',
      '--no-commit-id',
      '--diff-merges=first-parent',
      ...diffArguments.slice(1),
    ];
    const visible = await visiblePathspecs(context, tree, [commit.sha, '--']);
    const args = [...tree, '--raw', '--numstat', '-z', commit.sha, '--', ...visible];
    const files = parseDiff((await runGit(context, args)).stdout);
    if (input.patch === false) return {commit, files, truncated: false};
    const format = ['--patch', '--src-prefix=a/', '--dst-prefix=b/'];
    const bounds = {max_bytes: bytesMax, truncate: true};
    const {stdout, truncated} = await runGit(context, [...tree, ...format, commit.sha, '--', ...visible], bounds);
    return {commit, files, patch: stdout, truncated};
  },
});

async function readFileOf(
  context: GitContext,
  commit: string,
  path: string,
  bytesMax: number,
): Promise<Pick<GitShowOutput, 'content' | 'truncated'>> {
  literalPathspec(path);
  const name = `${commit}:${path}`;
  const {stdout: type} = await runGit(context, ['cat-file', '-t', name], {exit_codes: [0, 128]});
  if (type.trim() !== 'blob') {
    throw new ToolError('NOT_FOUND', `\`${path}\` is not a file in \`${commit.slice(0, 12)}\``, {path, commit});
  }
  const {stdout, truncated} = await runGit(context, ['cat-file', '-p', name], {max_bytes: bytesMax, truncate: true});
  if (stdout.includes('\0')) throw new ToolError('NOT_TEXT', `\`${path}\` is not UTF-8 text`, {path});
  return {content: cutText(stdout, bytesMax), truncated};
}
