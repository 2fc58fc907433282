// Merge requests by GitLab's REST API, version 4.
import type {Forge, ForgeReply, ForgeReview, SendToForge} from './forge.ts';

export function gitlabHeaders(token: string): Readonly<Record<string, string>> {
  return {'private-token': token, accept: 'application/json'};
}

interface MergeRequest {
  readonly iid: number;
  readonly web_url: string;
  readonly state: 'opened' | 'closed' | 'locked' | 'merged';
  /** Of the last commit of the branch. */
  readonly sha?: string | null;
  readonly merge_commit_sha?: string | null;
  readonly squash_commit_sha?: string | null;
}

export function createGitlab(send: SendToForge, project: string): Forge {
  const path = `/projects/${encodeURIComponent(project)}/merge_requests`;
  return {
    async open({branch, target, title: plain, body: description, draft}) {
      const title = draft ? `Draft: ${plain}` : plain;
      const {status, body: made} = await send('POST', path, {
        body: {source_branch: branch, target_branch: target, title, description},
        accept: [409],
      });
      if (status !== 409) return reviewOf(made as MergeRequest);
      const query = new URLSearchParams({source_branch: branch, target_branch: target, state: 'opened'});
      const [existing] = (await send('GET', `${path}?${query.toString()}`)).body as readonly MergeRequest[];
      const number = existing?.iid ?? 0;
      return reviewOf(bodyOf(await send('PUT', `${path}/${number}`, {body: {title, description}})));
    },
    read: async (number) => reviewOf(bodyOf(await send('GET', `${path}/${number}`))),
  };
}

function bodyOf({body}: ForgeReply): MergeRequest {
  return body as MergeRequest;
}

/** A fast-forward has no merge commit: the branch's own commit is then on the target branch. */
function reviewOf({iid: number, web_url: url, state, ...commits}: MergeRequest): ForgeReview {
  const isMerged = state === 'merged';
  const commit = commits.merge_commit_sha ?? commits.squash_commit_sha ?? commits.sha;
  return {
    number,
    url,
    state: isMerged || state === 'closed' ? state : 'open',
    ...(isMerged && typeof commit === 'string' && {commit}),
  };
}
