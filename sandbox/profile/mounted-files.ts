import type {SandboxProfile} from '@lumenflow/schemas';
import {isWithin} from './host-paths.ts';

/**
 * Absolute paths that are hidden or sealed in writable directories. If one does not exist, bubblewrap creates a file to mount on.
 */
export function mountedFiles({
  deny_overlays,
  readonly_bind_mounts,
  writable_bind_mounts,
}: SandboxProfile): readonly string[] {
  const isWritable = (path: string): boolean => writable_bind_mounts.some(({target}) => isWithin(path, target));
  const sealed = readonly_bind_mounts.map(({target}) => target).filter(isWritable);
  return [...deny_overlays.flatMap(({path, kind}) => (kind === 'file' ? [path] : [])), ...sealed];
}
