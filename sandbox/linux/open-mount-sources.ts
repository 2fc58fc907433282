// Opens what a profile mounts and keeps it open until bubblewrap has mounted it. A tool of another call may have put a symlink
// where a directory was when the profile was compiled. An open file cannot be exchanged.
import {closeSync, readlinkSync} from 'node:fs';
import type {SandboxProfile} from '@lumenflow/schemas';
import {failed, ok, type Outcome} from '../outcome.ts';
import {pathBytes, textOfBytes} from '../profile/path-bytes.ts';
import {openPath} from '../files/open-path.ts';

export interface MountSources {
  /** An open descriptor of ours for each source. */
  readonly fds: ReadonlyMap<string, number>;
  close(): void;
}

/** The problem is what has changed since the profile was compiled. Nothing is open then. */
export function openMountSources(profile: SandboxProfile): Outcome<MountSources, string> {
  const fds = new Map<string, number>();
  const close = (): void => {
    for (const fd of fds.values()) closeSync(fd);
    fds.clear();
  };
  for (const {source} of [...profile.writable_bind_mounts, ...profile.readonly_bind_mounts]) {
    if (fds.has(source)) continue;
    const fd = openAt(source);
    if (fd === undefined) {
      close();
      return failed(`\`${source}\` no longer exists`);
    }
    fds.set(source, fd);
    // The path that the kernel reports for the descriptor: it reveals every symlink on the way.
    const real = textOfBytes(readlinkSync(`/proc/self/fd/${fd}`, 'buffer'));
    if (real !== source) {
      close();
      return failed(`\`${source}\` now resolves to \`${real}\``);
    }
  }
  return ok({fds, close});
}

function openAt(path: string): number | undefined {
  try {
    return openPath(pathBytes(path));
  } catch {
    // Removed, or not accessible to this user: either way there is nothing to mount.
    return undefined;
  }
}
