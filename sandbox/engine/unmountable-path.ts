// Podman joins the paths of a mount and its options into one line of comma-separated values. There, a name such as `a,source=` would
// begin another option, and mount something else.
import type {Engine} from './engines.ts';

/** The part that matters of a request. */
export interface MountingRequest {
  readonly HostConfig: {
    readonly Mounts?: readonly {readonly Source?: string; readonly Target: string}[];
    readonly [name: string]: unknown;
  };
}

/** The first path that the engine cannot mount; undefined if there is none. */
export function unmountablePath(
  {HostConfig: {Mounts = []}}: MountingRequest,
  {joinsMounts}: Pick<Engine, 'joinsMounts'>,
): string | undefined {
  if (!joinsMounts) return undefined;
  return Mounts.flatMap(({Source = '', Target}) => [Target, Source]).find((path) => /[,"\r\n]/u.test(path));
}
