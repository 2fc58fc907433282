// The resource usage of a sandbox, measured in any way.
export interface Usage {
  /** Current memory, without what is shared with other programs, such as the code of Node. */
  readonly memoryBytes: number;
  /** The highest value measured. */
  readonly peakMemoryBytes: number;
  /** Sum over all processes, including those that have ended. */
  readonly cpuMs: number;
  readonly processes: number;
  /** In /tmp and /dev/shm, which are its own; 0 where that is not shown. */
  readonly tmpFiles: number;
}

export interface Meter {
  /** Undefined when nothing is left to measure. */
  read(): Usage | undefined;
  /** Whether the kernel ended a process because memory ran out. */
  ranOutOfMemory(): boolean;
}
