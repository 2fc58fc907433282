// What git:push would push: the remote, and the commits that it does not have yet.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {findCommit, findCommitIfAny} from '../../git/find-commit.ts';
import {mainBranch} from '../../git/main-branch.ts';
import {checkRemote, type Push} from '../../git/push-branch.ts';
import {runGit} from '../../git/run-git.ts';
import type {PackConfig} from '../../pack-config.ts';

interface PushPreview {
  readonly remote: string;
  /** Without its password, if it contains one. */
  readonly url: string;
  readonly branch: string;
  readonly commit: string;
  /** The remote branch's commit at the last fetch or push; null if unknown. */
  readonly remote_commit: string | null;
  /** Newest first. */
  readonly commits: readonly {readonly sha: string; readonly summary: string}[];
  /** There are more. */
  readonly commits_truncated: boolean;
}

const commitsMax = 100;

export const previewPush: ToolDefinition<Partial<Push>, PushPreview, PackConfig> = defineTool({
  async run({remote = 'origin', branch: named}, context) {
    const branch = named ?? (await mainBranch(context, context.config));
    await checkRemote(context, remote);
    const commit = await findCommit(context, `refs/heads/${branch}`);
    const remoteCommit = await findCommitIfAny(context, `refs/remotes/${remote}/${branch}`);
    const range = remoteCommit === undefined ? [commit] : [commit, `^${remoteCommit}`];
    const args = ['log', '-z', `--max-count=${commitsMax + 1}`, '--encoding=UTF-8', '--format=tformat:%H %s', ...range];
    const lines = (await runGit(context, args)).stdout.split('\0').filter((line) => line !== '');
    const url = (await runGit(context, ['remote', 'get-url', '--push', '--', remote])).stdout.trim();
    return {
      remote,
      url: url.replace(/\/\/[^@/]*@/u, '//'),
      branch,
      commit,
      remote_commit: remoteCommit ?? null,
      commits: lines.slice(0, commitsMax).map((line) => ({sha: line.slice(0, 40), summary: line.slice(41)})),
      commits_truncated: lines.length > commitsMax,
    };
  },
});
