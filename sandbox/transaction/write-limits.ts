// What a transactional call may write, and the limit that it met.

export interface WriteLimits {
  /** Content that the call wrote: new files whole, of a file that existed what differs. */
  readonly bytes: number;
  /** Entries that the call made. A folder from which entries were deleted counts as one. */
  readonly files: number;
}

export interface MetWriteLimit {
  readonly limit: 'write_bytes' | 'write_files' | 'total_write_bytes' | 'disk_reserve';
  readonly bound: number;
}

export const defaultWriteLimits: WriteLimits = {bytes: 4 * 1024 ** 3, files: 200_000};

/** Of all calls of a host at once. */
export const totalWriteBytesDefault: number = 16 * 1024 ** 3;

export function describeMetLimit({limit, bound}: MetWriteLimit): string {
  switch (limit) {
    case 'write_bytes':
      return `the call wrote more than ${bound} bytes: raise \`write_bytes\` in the tool's \`limits\``;
    case 'write_files':
      return `the call made more than ${bound} files and directories: raise \`write_files\` in the tool's \`limits\``;
    case 'total_write_bytes':
      return `the host's transactional calls wrote more than ${bound} bytes at once: run fewer of them at a time`;
    case 'disk_reserve':
      return `the call left less than ${bound} bytes free on the workspace's disk: free some space, then call again`;
    default:
      return limit satisfies never;
  }
}
