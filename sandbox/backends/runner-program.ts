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

export interface RunnerFiles {
  readonly nodePath: string;
  readonly runnerPath: string;
  /** The runner waits for a debugger at this port of 127.0.0.1. */
  readonly inspectPort?: number | undefined;
}

/** Throws when either file does not exist. */
export function runnerProgram(files: RunnerFiles): RunnerProgram {
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
      return [nodePath, ...heap, ...inspectFlags(files.inspectPort), runnerPath, ...(spare ?? [])];
    },
  };
}

/** Debuggers find the process by HTTP, so its address is not printed among the output of the handler. */
function inspectFlags(port: number | undefined): readonly string[] {
  return port === undefined ? [] : [`--inspect-wait=127.0.0.1:${port}`, '--inspect-publish-uid=http'];
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
