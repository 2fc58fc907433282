// What LXC allows a container as a whole. What the call in it may use is enforced by the worker in it.
import type {ResourceLimits} from '@lumenflow/schemas';

export interface ContainerLimits {
  /** Mebibytes. */
  readonly memory: number;
  readonly swap: number;
  readonly cores: number;
}

const mebibyte = 1024 ** 2;
/** The system of the container, and the worker. */
const ownMebibytes = 512;
const callBytesDefault = 2048 * mebibyte;
const cores = 2;

export function containerLimits({memory_bytes = callBytesDefault}: ResourceLimits): ContainerLimits {
  return {memory: Math.ceil(memory_bytes / mebibyte) + ownMebibytes, swap: 0, cores};
}
