// The address at which passkeys of this workspace work. WebAuthn binds them to a host name, and browsers allow them over https only, except
// on localhost. An IP address is not a host name.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {WorkspaceSpec} from '@lumenflow/schemas';

export interface RelyingParty {
  readonly rp_id: string;
  readonly origin: string;
}

type Settings = Pick<WorkspaceSpec, 'approvals' | 'sign_in'>;

/** `host`: the header of the request, which decides if workspace.yaml names no address. The problem says what to do. */
export function relyingPartyOf({approvals, sign_in}: Settings, host: string): Outcome<RelyingParty, string> {
  const key = sign_in?.url === undefined ? 'approvals.url' : 'sign_in.url';
  const configured = sign_in?.url ?? approvals?.url;
  const text = configured ?? `http://${host}`;
  const {protocol, hostname, origin} = URL.canParse(text) ? new URL(text) : new URL('http://[::1]');
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isLocal || (protocol === 'https:' && !isAddress(hostname))) return ok({rp_id: hostname, origin});
  if (configured !== undefined) {
    return failed(`passkeys need a host name with https, or localhost: change \`${key}\` of workspace.yaml`);
  }
  const {port} = new URL(origin);
  return isLoopback(hostname)
    ? failed(`passkeys need a host name: open http://localhost${port === '' ? '' : `:${port}`} instead`)
    : failed('passkeys need the https address of this dashboard: add it to workspace.yaml as `approvals.url`');
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+(?:\.\d+){3}$/u.test(hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || hostname.startsWith('127.');
}
