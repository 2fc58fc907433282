// How the runner is started: which Node, which file, with which memory limit, and what of the host both need.
import {existsSync, realpathSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {SandboxProfile} from '@lumenflow/schemas';

export interface RunnerProgram {
  readonly nodePath: string;
  readonly runnerPath: string;
  /** Paths that must be mounted for them, resolved; none of them contains user data. */
  readonly runtimePaths: readonly string[];
  /**
   * With `waiting` it gets ready before an invocation comes: Node, and the handler `/absolute/file.js#export` if one is named.
   */
  argv(
    profile: Pick<SandboxProfile, 'limits' | 'network_posture'>,
    waiting?: {readonly handlerEntry: string | undefined},
  ): readonly string[];
}

/** Node's own share of the memory that is not heap: its binary's data, buffers, stacks. */
const heapShare = 0.75;

/** Throws when either file does not exist. */
export function runnerProgram(files: {readonly nodePath: string; readonly runnerPath: string}): RunnerProgram {
  const nodePath = realpathSync(files.nodePath);
  const runnerPath = realpathSync(files.runnerPath);
  return {
    nodePath,
    runnerPath,
    runtimePaths: [...(nodePath.startsWith('/usr/') ? [] : [nodeHome(nodePath)]), runnerPath],
    argv({limits, network_posture}, waiting) {
      const heap =
        limits.memory_bytes === undefined ? [] : [`--max-old-space-size=${heapMegabytes(limits.memory_bytes)}`];
      const spare = waiting && [
        'spare',
        ...(waiting.handlerEntry === undefined ? [] : [waiting.handlerEntry, network_posture]),
      ];
      return [nodePath, ...heap, runnerPath, ...(spare ?? [])];
    },
  };
}

function heapMegabytes(memoryBytes: number): number {
  return Math.max(16, Math.floor((memoryBytes * heapShare) / (1024 * 1024)));
}

/** The folder of a Node installation, so that npm comes along; the program alone when it lies elsewhere. */
function nodeHome(nodePath: string): string {
  const home = dirname(dirname(nodePath));
  const isInstallation =
    dirname(nodePath) === join(home, 'bin') && existsSync(join(home, 'lib', 'node_modules', 'npm'));
  return isInstallation && home !== '/' ? home : nodePath;
}
