// The write limits of a transactional call, and the limit that it reached.
import {defaultLimits} from '../limits/resolve-limits.ts';

export interface WriteLimits {
  /** Content that the call wrote: all of a new file, and what differs in an existing one. */
  readonly bytes: number;
  /** Entries that the call created. A folder from which entries were deleted counts as one. */
  readonly files: number;
}

export interface MetWriteLimit {
  readonly limit: 'write_bytes' | 'write_files' | 'total_write_bytes' | 'disk_reserve' | 'path_bytes';
  readonly bound: number;
}

/** PATH_MAX minus the path to the root of a view or of a transaction. */
export const pathBytesMax = 3500;

export const defaultWriteLimits: WriteLimits = {bytes: defaultLimits.write_bytes, files: defaultLimits.write_files};

/** Of all concurrent calls of a host. */
export const totalWriteBytesDefault: number = 16 * 1024 ** 3;

export function describeMetLimit({limit, bound}: MetWriteLimit): string {
  switch (limit) {
    case 'write_bytes':
      return `the call wrote more than ${bound} bytes (\`write_bytes\`)`;
    case 'write_files':
      return `the call created more than ${bound} files and directories (\`write_files\`)`;
    case 'total_write_bytes':
      return `the host's transactional calls wrote more than ${bound} bytes in total: run fewer of them at the same time`;
    case 'disk_reserve':
      return `the call left less than ${bound} bytes free on the workspace's disk: free some space, then retry the call`;
    case 'path_bytes':
      return `the call created a path of more than ${bound} bytes, which is too long to apply`;
    default:
      return limit satisfies never;
  }
}
