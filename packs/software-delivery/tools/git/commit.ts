// git:commit commits the staged changes without hooks, signatures or an editor.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {checkStaged} from '../../git/check-staged.ts';
import {findIdentity, identityEnvironment} from '../../git/commit-identity.ts';
import {currentBranch} from '../../git/current-branch.ts';
import type {ChangedFile} from '../../git/parse-diff.ts';
import {logFormat, parseLog, type Commit} from '../../git/parse-log.ts';
import {runGit} from '../../git/run-git.ts';
import {readVisibleStaged, withVisibleIndex} from '../../git/visible-index.ts';
import type {CommitIdentity, PackConfig} from '../../pack-config.ts';
import {inWritableCheckout} from '../../checkouts/in-checkout.ts';

interface GitCommitInput {
  readonly message: string;
  /** Default: the config's `git.author`, then the repository's user. */
  readonly author?: CommitIdentity;
  readonly allow_empty?: boolean;
  /** Confirms a write to the person's own checkout outside a work unit. */
  readonly main_checkout?: boolean;
  readonly dry_run?: boolean;
}

interface GitCommitOutput {
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  readonly files: readonly ChangedFile[];
  /** Absent in a dry run. */
  readonly commit?: Commit;
  /** Directory that was written, relative to the workspace root; `.` is the person's own checkout. */
  readonly root: string;
  readonly dry_run: boolean;
}

export const gitCommit: ToolDefinition<GitCommitInput, GitCommitOutput, PackConfig> = defineTool({
  async run(input, call) {
    const {context, root} = await inWritableCheckout(call, input.main_checkout);
    const {message, dry_run: dryRun = false} = input;
    if (message.trim() === '') throw new ToolError('INVALID_INPUT', 'the commit message is empty');
    const {files, hidden} = await readVisibleStaged(context);
    checkStaged(files, input.allow_empty === true);
    const identity = await findIdentity(context, input.author);
    const branch = await currentBranch(context);
    if (dryRun) return {branch, files, root, dry_run: true};
    const args = ['commit', '--quiet', '--no-verify', '--no-gpg-sign', '--cleanup=whitespace', '--file=-'];
    if (input.allow_empty === true) args.push('--allow-empty');
    await withVisibleIndex(context, hidden, (env) =>
      runGit(context, args, {stdin: message, env: {...identityEnvironment(identity), ...env}}),
    );
    const [commit] = parseLog(
      (await runGit(context, ['log', '-z', '--max-count=1', '--encoding=UTF-8', logFormat])).stdout,
    );
    if (commit === undefined) throw new ToolError('GIT_FAILED', 'the commit was made but cannot be read back');
    return {branch, files, commit, root, dry_run: false};
  },
});
