// Pushes commits to refs of a remote, each only if the ref still has the expected value.
import {ToolError} from '@lumenflow/pack-sdk';
import {gitError} from './git-error.ts';
import {withRemote, type RemoteContext} from './with-remote.ts';
import {runGit} from './run-git.ts';

export interface RefPush {
  readonly remote: string;
  /** The local commit. */
  readonly commit: string;
  /** The remote's ref, such as `refs/heads/main`. */
  readonly ref: string;
  /** The commit that the ref must have; null: the ref must not exist. */
  readonly expect: string | null;
}

/** False if the ref has another commit. Throws ToolErrors NO_REMOTE, PUSH_REJECTED and REMOTE_UNREACHABLE. */
export async function pushRef(context: RemoteContext, {remote, commit, ref, expect}: RefPush): Promise<boolean> {
  const args = ['push', '--porcelain', '--no-verify', `--force-with-lease=${ref}:${expect ?? ''}`];
  const result = await withRemote(context, remote, (options) =>
    runGit(context, [...args, '--', remote, `${commit}:${ref}`], {...options, exit_codes: [0, 1, 128]}),
  );
  const [, flag = '!', summary = ''] = /^([ +\-*!=])\t[^\t]*\t(.*)$/mu.exec(result.stdout) ?? [];
  if (result.exit_code === 0 && flag !== '!') return true;
  if (summary === '') throw gitError('push', result);
  // The server reports a concurrent push as a ref that it could not lock or that moved.
  if (/stale info|fetch first|cannot lock ref|failed to update ref|incorrect old value/u.test(summary)) return false;
  throw new ToolError('PUSH_REJECTED', `\`${remote}\` rejected \`${ref}\`: ${summary}`, {remote, ref});
}
