// Fetches refs of a remote into refs of the repository.
import {ToolError} from '@lumenflow/pack-sdk';
import {findCommitIfAny} from './find-commit.ts';
import {gitError} from './git-error.ts';
import {withRemote, type RemoteContext} from './with-remote.ts';
import {runGit} from './run-git.ts';

export interface RefFetch {
  readonly remote: string;
  /** The remote's ref. */
  readonly ref: string;
  /** The local ref that receives its commit. */
  readonly into: string;
}

/** The fetched commit; null if the remote has no such ref. Throws ToolErrors NO_REMOTE and REMOTE_UNREACHABLE. */
export async function fetchRef(context: RemoteContext, {remote, ref, into}: RefFetch): Promise<string | null> {
  const args = [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-recurse-submodules',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
  ];
  const result = await withRemote(context, remote, (options) =>
    runGit(context, [...args, '--', remote, `+${ref}:${into}`], {...options, exit_codes: [0, 1, 128]}),
  );
  if (result.exit_code === 0) return (await findCommitIfAny(context, into)) ?? null;
  if (/couldn't find remote ref/u.test(result.stderr)) return null;
  if (/Authentication failed|could not read Username/u.test(result.stderr)) {
    throw new ToolError('REMOTE_UNAUTHORIZED', `\`${remote}\` asks for credentials: set \`token_env\` of the remote`, {
      remote,
    });
  }
  throw gitError('fetch', result);
}
