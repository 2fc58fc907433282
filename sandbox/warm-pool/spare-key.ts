// What a spare must share with a call to serve it. The profile is compiled again for each call, so anything new in the workspace,
// such as a `.env` to hide, changes the digest. The same paths may refer to other files by now: a mount stays on its file, and is
// lost when that is replaced.
import {lstatSync, type BigIntStats} from 'node:fs';
import type {SandboxRequest} from '../backends/sandbox-call.ts';
import type {SpareViews} from '../backends/transaction-view.ts';
import type {SandboxProfile} from '@lumenflow/schemas';
import {isWithin} from '../profile/host-paths.ts';
import {pathBytes} from '../profile/path-bytes.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';

export interface SpareKey {
  /** Calls of one kind: the same pack, handler, profile, workspace and user. */
  readonly kind: string;
  /** Which files are mounted and hidden; distinguishes them from others at the same paths. */
  readonly files: string;
}

/** Of an allowlist whose network is opened ahead of a call. */
const entriesMax = 32;

export interface HostUser {
  readonly uid: number;
  readonly gid: number;
}

/** Undefined for a call that needs its own sandbox. `user` is the user that starts sandboxes now. */
export function spareKey(
  {profile, invocation, warm, transaction}: SandboxRequest,
  {uid, gid}: HostUser,
): SpareKey | undefined {
  if (warm === undefined || !mayWait(profile.profile)) return undefined;
  const views = transaction?.spareViews;
  if (transaction !== undefined && views === undefined) return undefined;
  // A network serves one call, since its receipt lists the connections that it allowed; a view serves one transaction.
  const servesOne = transaction !== undefined || profile.profile.network_posture !== 'off';
  if (warm.reuseForTask !== undefined && servesOne) return undefined;
  const code = [warm.packHash, invocation.handler_entry];
  const kind = [
    ...code,
    profile.digest,
    profile.workspaceRoot,
    uid,
    gid,
    warm.reuseForTask ?? null,
    views?.key ?? null,
  ];
  return {kind: JSON.stringify(kind), files: fileIdentities(profile, views)};
}

/** Each entry costs the host a few open sockets for as long as a spare waits. */
function mayWait({network_allowlist}: SandboxProfile): boolean {
  return network_allowlist.length <= entriesMax;
}

/**
 * In a view, the mounts pin their targets and all directories between these and the root, so those count there too. An overlay
 * resolves everything else lazily, after the call has arrived.
 */
export function fileIdentities({profile, workspaceRoot}: CompiledProfile, views: SpareViews | undefined): string {
  const {readonly_bind_mounts, writable_bind_mounts, deny_overlays} = profile;
  const paths = [
    ...readonly_bind_mounts.map(({source}) => source),
    ...writable_bind_mounts.map(({source}) => source),
    ...deny_overlays.map(({path}) => path),
  ];
  if (views === undefined) return paths.map(identityOf).join('\n');
  const targets = [...readonly_bind_mounts, ...writable_bind_mounts].map(({target}) => target);
  const kept = new Set([...paths, ...[...paths, ...targets].flatMap((path) => between(workspaceRoot, path))]);
  return [...[...kept].map(identityOf), views.state()].join('\n');
}

/** The root, the path, and all directories between them; nothing of a path that lies elsewhere. */
function between(root: string, path: string): readonly string[] {
  if (!isWithin(path, root)) return [];
  const names = path.slice(root.length).split('/').filter(Boolean);
  return [root, ...names.map((_, index) => `${root}/${names.slice(0, index + 1).join('/')}`)];
}

/**
 * An inode number is reused after a deletion; a creation time is not. The change time reveals a file that was linked elsewhere,
 * replaced, and linked back. A directory's change time changes with every entry, so it is left out.
 */
function identityOf(path: string): string {
  const stats = look(path);
  if (stats === undefined) return 'gone';
  const {dev, ino, mode, uid, gid, birthtimeNs, ctimeNs} = stats;
  return [dev, ino, mode, uid, gid, birthtimeNs, stats.isDirectory() ? '' : ctimeNs].join(' ');
}

function look(path: string): BigIntStats | undefined {
  try {
    return lstatSync(pathBytes(path), {bigint: true, throwIfNoEntry: false});
  } catch {
    // A directory on the way has become a file, or is out of reach.
    return undefined;
  }
}
