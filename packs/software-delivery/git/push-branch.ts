// Pushes one branch to one remote: fast-forward only, no hooks, no credentials.
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {ToolError} from '@lumenflow/pack-sdk';
import {findCommit} from './find-commit.ts';
import {gitError} from './git-error.ts';
import {runGit, type GitContext, type GitOptions} from './run-git.ts';

export interface Push {
  readonly remote: string;
  readonly branch: string;
  readonly dry_run: boolean;
}

export interface Pushed {
  readonly commit: string;
  readonly state: 'created' | 'updated' | 'up_to_date';
}

const states: Readonly<Record<string, Pushed['state']>> = {'*': 'created', ' ': 'updated', '=': 'up_to_date'};
const protocols: readonly string[] = ['https', 'http', 'file', 'git'].map((name) => `protocol.${name}.allow=always`);

/** Throws ToolErrors NO_REMOTE, UNKNOWN_REVISION, PUSH_REJECTED and REMOTE_UNREACHABLE. */
export async function pushBranch(context: GitContext, {remote, branch, dry_run: dryRun}: Push): Promise<Pushed> {
  await checkRemote(context, remote);
  const commit = await findCommit(context, `refs/heads/${branch}`);
  const args = ['push', '--porcelain', '--no-verify', ...(dryRun ? ['--dry-run'] : [])];
  const result = await withOwnConfig((env) =>
    runGit(context, [...args, '--', remote, `refs/heads/${branch}:refs/heads/${branch}`], {
      env,
      settings: protocols,
      exit_codes: [0, 1, 128],
    }),
  );
  const [, flag = '!', summary = ''] = /^([ +\-*!=])\t[^\t]*\t(.*)$/m.exec(result.stdout) ?? [];
  const state = states[flag];
  if (result.exit_code === 0 && state !== undefined) return {commit, state};
  if (summary !== '')
    throw new ToolError('PUSH_REJECTED', `\`${remote}\` rejected \`${branch}\`: ${summary}`, {remote});
  throw gitError('push', result);
}

/** Throws ToolError NO_REMOTE. */
export async function checkRemote(context: GitContext, remote: string): Promise<void> {
  const remotes = (await runGit(context, ['remote'])).stdout.split('\n').filter((name) => name !== '');
  if (remotes.includes(remote)) return;
  const known = remotes.length === 0 ? 'the repository has none' : `it has \`${remotes.join('`, `')}\``;
  throw new ToolError(
    'NO_REMOTE',
    `there is no remote \`${remote}\`: ${known}; a person can add one with \`git remote add\``,
    {
      remotes,
    },
  );
}

/** For a local remote, a second git process opens the repository. It accepts the owner only from a config file. */
async function withOwnConfig<T>(use: (env: NonNullable<GitOptions['env']>) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'push-'));
  try {
    await writeFile(join(folder, 'config'), '[safe]\n\tdirectory = *\n');
    return await use({GIT_CONFIG_GLOBAL: join(folder, 'config')});
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}
