// Pull requests by GitHub's REST API, version 2022-11-28.
import type {Forge, ForgeReply, ForgeReview, SendToForge} from './forge.ts';

export function githubHeaders(token: string): Readonly<Record<string, string>> {
  return {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  };
}

interface PullRequest {
  readonly number: number;
  readonly html_url: string;
  readonly state: 'open' | 'closed';
  readonly merged?: boolean;
  readonly merged_at?: string | null;
  readonly merge_commit_sha?: string | null;
}

export function createGithub(send: SendToForge, project: string): Forge {
  const path = `/repos/${project}/pulls`;
  const owner = project.split('/')[0] ?? '';
  return {
    async open({branch, target, title, body, draft}) {
      const {status, body: made} = await send('POST', path, {
        body: {title, body, head: branch, base: target, draft},
        accept: [422],
      });
      if (status !== 422) return reviewOf(made as PullRequest);
      const query = new URLSearchParams({head: `${owner}:${branch}`, state: 'open'});
      const [existing] = (await send('GET', `${path}?${query.toString()}`)).body as readonly PullRequest[];
      // Rejected for another reason: the same request again, whose error is thrown.
      if (existing === undefined) {
        return reviewOf(bodyOf(await send('POST', path, {body: {title, body, head: branch, base: target, draft}})));
      }
      return reviewOf(bodyOf(await send('PATCH', `${path}/${existing.number}`, {body: {title, body}})));
    },
    read: async (number) => reviewOf(bodyOf(await send('GET', `${path}/${number}`))),
  };
}

function bodyOf({body}: ForgeReply): PullRequest {
  return body as PullRequest;
}

function reviewOf({
  number,
  html_url: url,
  state,
  merged,
  merged_at: mergedAt,
  merge_commit_sha: commit,
}: PullRequest): ForgeReview {
  const isMerged = merged === true || (mergedAt !== undefined && mergedAt !== null);
  return {
    number,
    url,
    state: isMerged ? 'merged' : state,
    ...(isMerged && typeof commit === 'string' && {commit}),
  };
}
