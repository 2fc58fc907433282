// Returns a path in the form that the macOS kernel uses when it checks the sandbox. A few directories at the root are symlinks,
// and the data volume appears at the root through firmlinks.

const linkedPath = /^\/(?=(?:tmp|var|etc)(?:\/|$))/;
const dataVolume = /^\/System\/Volumes\/Data(?=\/)/;

/** `path`: absolute and normalised; other symlinks in it are resolved already. */
export function kernelPath(path: string): string {
  return path.replace(dataVolume, '').replace(linkedPath, '/private/');
}
