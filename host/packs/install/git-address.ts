// Decides which repositories and refs are passed to git. It rejects values that git would read as an option, a command or a
// helper program, and insecure transports.
import {failed, ok, type Failed, type Outcome} from '@lumenflow/kernel';
import {isAbsolute, resolve} from 'node:path';
import type {FetchProblem} from './install-context.ts';

export interface GitAddress {
  /** As passed to git. */
  readonly url: string;
  /** The only protocol that git may use, also after a redirect. */
  readonly protocol: 'https' | 'http' | 'ssh' | 'file';
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const remedy = 'use https://, ssh://, git@host:path, or the path of a repository on this machine';

/** A path is relative to the workspace. */
export function gitAddress(url: string, workspaceRoot: string): Outcome<GitAddress, FetchProblem> {
  if (url.startsWith('-') || /[\p{Cc}\s]/u.test(url)) return refused(`\`${url}\` is not a valid repository address`);
  if (/^[A-Za-z0-9+.-]+::/u.test(url)) return refused(`\`${url}\` would have git run a helper program`);
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//u.test(url)) return addressOfUrl(url);
  const [, host] = /^(?:[A-Za-z0-9._-]+@)?([^/:]+):(?!\/\/)./u.exec(url) ?? [];
  if (host !== undefined && !isAbsolute(url)) {
    return host.startsWith('-') ? refused(`\`${url}\` names no host`) : ok({url, protocol: 'ssh'});
  }
  return ok({url: resolve(workspaceRoot, url), protocol: 'file'});
}

/** A commit, or the name of a tag or a branch. Rejects text that git would read as more than one name. */
export function isGitRef(ref: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._/+@-]*$/u.test(ref) && !ref.includes('..') && !ref.includes('@{');
}

function addressOfUrl(url: string): Outcome<GitAddress, FetchProblem> {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return refused(`\`${url}\` is not a valid URL`);
  const {protocol, hostname, password, username} = parsed;
  if (hostname.startsWith('-')) return refused(`\`${url}\` names no host`);
  if (password !== '' || (username !== '' && protocol !== 'ssh:')) {
    return refused(
      `the address of a repository on ${hostname} contains credentials, which LumenFlow would store in plain text`,
      'remove them; for a private repository, use ssh with a key',
    );
  }
  if (protocol === 'https:' || protocol === 'ssh:' || protocol === 'file:') {
    return ok({url, protocol: protocol === 'https:' ? 'https' : protocol === 'ssh:' ? 'ssh' : 'file'});
  }
  if (protocol === 'http:' && loopback.has(hostname)) return ok({url, protocol: 'http'});
  return refused(`\`${protocol}//\` cannot be used to fetch a pack: others can change the content in transit`);
}

function refused(message: string, help = remedy): Failed<FetchProblem> {
  return failed({code: 'PACK_SOURCE_REFUSED', message, help});
}
