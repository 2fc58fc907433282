// The page on which a person opens the request, for remotes with the usual addresses of forges.

/** Undefined for a remote that is not on a web server. */
export function compareUrl(remoteUrl: string, branch: string, target: string): string | undefined {
  const [, host, path] =
    /^(?:https?:\/\/(?:[^@/]*@)?|ssh:\/\/(?:[^@/]*@)?|[^@/:]+@)([^/:]+)(?::\d+(?=\/))?[/:](.+?)(?:\.git)?\/?$/u.exec(
      remoteUrl,
    ) ?? [];
  if (host === undefined || path === undefined) return undefined;
  const base = `https://${host}/${path}`;
  if (/(?:^|\.)gitlab\./u.test(host)) {
    const query = new URLSearchParams({
      'merge_request[source_branch]': branch,
      'merge_request[target_branch]': target,
    });
    return `${base}/-/merge_requests/new?${query.toString()}`;
  }
  return `${base}/compare/${encodeURI(target)}...${encodeURI(branch)}?expand=1`;
}
