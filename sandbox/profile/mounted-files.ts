import type {SandboxProfile} from '@lumenflow/schemas';
import {isWithin} from './host-paths.ts';

/** Absolute: what is hidden or sealed where it could be written, so that bubblewrap makes a file to mount on when there is none. */
export function mountedFiles({
  deny_overlays,
  readonly_bind_mounts,
  writable_bind_mounts,
}: SandboxProfile): readonly string[] {
  const isWritable = (path: string): boolean => writable_bind_mounts.some(({target}) => isWithin(path, target));
  const sealed = readonly_bind_mounts.map(({target}) => target).filter(isWritable);
  return [...deny_overlays.flatMap(({path, kind}) => (kind === 'file' ? [path] : [])), ...sealed];
}
