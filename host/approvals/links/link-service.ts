// Links of a workspace: whether it has them, and how they are made.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {WorkspaceSpec} from '@lumenflow/schemas';
import {newLinkId, readLink, readLinkKey, signLink, type SignedLink} from './signed-link.ts';

export interface LinkService {
  readonly key: Buffer;
  /** The address of the answering page with a new link. `to`: a name, or group:NAME. */
  make(request_id: string, to: string, hours?: number): string;
  read(text: string): Outcome<SignedLink, string>;
}

export interface LinkOptions {
  readonly spec: Pick<WorkspaceSpec, 'approvals' | 'sign_in'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  now(): number;
}

const defaultHours = 24;

/** The problem says why a workspace has no links. Throws LinkKeyError if its key cannot be used. */
export function openLinks({spec, env, now}: LinkOptions): Outcome<LinkService, string> {
  const {links, url} = spec.approvals ?? {};
  if (links === undefined) return failed('workspace.yaml has no `approvals.links`');
  if (spec.sign_in !== undefined) return failed('in this workspace, people sign in before they decide');
  if (url === undefined) return failed('workspace.yaml has no `approvals.url`');
  const key = readLinkKey(links.key_env, env);
  return ok({
    key,
    make(request_id, to, hours = links.hours ?? defaultHours) {
      const expires = Math.floor(now() / 1_000) + Math.round(hours * 3_600);
      return `${url}/answer?link=${signLink(key, {id: newLinkId(), request_id, to, expires})}`;
    },
    read: (text) => readLink(key, text, now()),
  });
}

const prefix = 'group:';

/** The persons that a link is for. Empty if the group no longer exists. */
export function personsOf({approvals}: Pick<WorkspaceSpec, 'approvals'>, to: string): readonly string[] {
  if (!to.startsWith(prefix)) return [to];
  const groups = approvals?.groups ?? {};
  const name = to.slice(prefix.length);
  return Object.hasOwn(groups, name) ? (groups[name] ?? []) : [];
}
