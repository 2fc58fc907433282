// A path as the macOS kernel writes it when it asks the sandbox. A few places at the root are symlinks, and the data volume
// appears at the root through firmlinks.

const linkedPath = /^\/(?=(?:tmp|var|etc)(?:\/|$))/;
const dataVolume = /^\/System\/Volumes\/Data(?=\/)/;

/** `path`: absolute and normalised; other symlinks in it are resolved already. */
export function kernelPath(path: string): string {
  return path.replace(dataVolume, '').replace(linkedPath, '/private/');
}
