// What a spare must share with a call to serve it. The profile is compiled anew for each call, so whatever appeared in
// the workspace since the spare was started, such as a `.env` to hide, gives another digest. The same paths may stand
// for other files by now: a mount stays on the file that it was made on, and is lost when that is replaced.
import {lstatSync} from 'node:fs';
import type {SandboxRequest} from '../backends/sandbox-call.ts';
import type {SandboxProfile} from '@lumenflow/schemas';
import {pathBytes} from '../profile/path-bytes.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';

export interface SpareKey {
  /** Calls of one kind: the same pack, handler, profile, workspace and user. */
  readonly kind: string;
  /** Which files are mounted and hidden, told apart from others at the same paths. */
  readonly files: string;
}

/** Of an allowlist whose network is opened ahead of a call. */
const entriesMax = 32;

export interface HostUser {
  readonly uid: number;
  readonly gid: number;
}

/** Undefined for a call that only a sandbox of its own may serve. `user` is who starts sandboxes now. */
export function spareKey(
  {profile, invocation, warm, transaction}: SandboxRequest,
  {uid, gid}: HostUser,
): SpareKey | undefined {
  // What a transaction holds back is mounted for it alone.
  if (warm === undefined || transaction !== undefined || !mayWait(profile.profile)) return undefined;
  // A network serves one call, since it says in the receipt what it let through.
  if (warm.reuseForTask !== undefined && profile.profile.network_posture !== 'off') return undefined;
  const code = [warm.packHash, invocation.handler_entry];
  const kind = [...code, profile.digest, profile.workspaceRoot, uid, gid, warm.reuseForTask ?? null];
  return {kind: JSON.stringify(kind), files: fileIdentities(profile)};
}

/** Each entry costs the host a few open sockets for as long as a spare waits. */
function mayWait({network_allowlist}: SandboxProfile): boolean {
  return network_allowlist.length <= entriesMax;
}

export function fileIdentities({profile}: CompiledProfile): string {
  const {readonly_bind_mounts, writable_bind_mounts, deny_overlays} = profile;
  const paths = [
    ...readonly_bind_mounts.map(({source}) => source),
    ...writable_bind_mounts.map(({source}) => source),
    ...deny_overlays.map(({path}) => path),
  ];
  return paths.map(identityOf).join('\n');
}

/**
 * A number of a file is given to another once it is deleted, the time of its birth is not. The last change tells of a
 * file that was linked elsewhere, replaced, and linked back; a directory's changes with every entry and says nothing.
 */
function identityOf(path: string): string {
  const stats = lstatSync(pathBytes(path), {bigint: true, throwIfNoEntry: false});
  if (stats === undefined) return 'gone';
  const {dev, ino, mode, birthtimeNs, ctimeNs} = stats;
  return [dev, ino, mode, birthtimeNs, stats.isDirectory() ? '' : ctimeNs].join(' ');
}
