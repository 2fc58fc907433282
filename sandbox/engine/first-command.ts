// The command of the first process in a container: a shell that starts the program with its streams and waits for it.
import {pauseWhenKilled} from '../linux/pause-when-killed.ts';
import {pipeNames} from './wire-pipes.ts';

export interface FirstCommandInput {
  /** See `RequestParts`. */
  readonly mark: string;
  /** Names to remove from the environment. */
  readonly unwanted: readonly string[];
  readonly argv: readonly string[];
  readonly withWire: boolean;
  /** Lines of the shell that run before the program. */
  readonly before?: readonly string[];
}

/** Where the folder of the pipes is mounted. */
export const pipesInside = '/run/lumenflow';

/** It reaps orphans, and signals without a handler do not kill it. Its own messages are dropped. */
export function firstCommand({mark, unwanted, argv, withWire, before = []}: FirstCommandInput): readonly string[] {
  const {stdout, stderr, fromHost, toHost} = pipeNames;
  const wire = withWire ? ` 3<${pipesInside}/${fromHost} 4>${pipesInside}/${toHost}` : '';
  // $1: the names to remove.
  const script = [
    'unset $1',
    'shift',
    `exec >${pipesInside}/${stdout} 5>${pipesInside}/${stderr} 2>/dev/null`,
    ...before,
    `"$@" 2>&5 5>&-${wire}`,
    ...pauseWhenKilled,
  ].join('\n');
  return ['/bin/sh', '-c', script, mark, unwanted.join(' '), ...argv];
}
