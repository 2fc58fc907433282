// The author of a commit.
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {CommitIdentity, PackConfig} from '../pack-config.ts';
import {runGit, type GitContext} from './run-git.ts';

/** The given author, else the configured one, else the repository's user. Throws ToolError IDENTITY_MISSING. */
export async function findIdentity(
  context: GitContext & Pick<ToolContext<PackConfig>, 'config'>,
  given?: CommitIdentity,
): Promise<CommitIdentity> {
  const said = given ?? context.config?.git?.author;
  if (said !== undefined) return said;
  const [name, email] = await Promise.all([readSetting(context, 'user.name'), readSetting(context, 'user.email')]);
  if (name !== '' && email !== '') return {name, email};
  throw new ToolError(
    'IDENTITY_MISSING',
    'there is no author for the commit: pass `author`, or set `software_delivery.git.author`, or user.name and user.email of the repository',
  );
}

export function identityEnvironment({name, email}: CommitIdentity): Record<string, string> {
  return {GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email};
}

async function readSetting(context: GitContext, name: string): Promise<string> {
  return (await runGit(context, ['config', '--get', name], {exit_codes: [0, 1]})).stdout.trim();
}
