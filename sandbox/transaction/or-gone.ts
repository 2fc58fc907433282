/** Processes and descriptors come and go, and those of other users are not ours to see; elsewhere there is no /proc. */
export function orGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (
      ['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? '')
    )
      return undefined;
    throw error;
  }
}
