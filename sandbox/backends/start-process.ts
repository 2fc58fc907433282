// Starts a program as a process of this machine, for backends whose sandbox is around a process.
import {spawnProcess} from '../commands/spawn-process.ts';
import type {StartedRunner} from './sandbox-backend.ts';

export interface ProcessStart extends Pick<StartedRunner, 'degraded' | 'setUpProblem'> {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** A two-way pipe as its descriptor 3. */
  readonly withWire: boolean;
}

export async function startProcess({
  command,
  args,
  cwd,
  env,
  withWire,
  degraded,
  setUpProblem,
}: ProcessStart): Promise<StartedRunner> {
  const {pid, pipes, ended, kill, keepAlive} = await spawnProcess({
    command,
    args,
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe', ...(withWire ? (['pipe'] as const) : [])],
  });
  const [, stdout, stderr, wire] = pipes;
  return {
    pid,
    wire: wire ?? undefined,
    stdout: stdout ?? undefined,
    stderr: stderr ?? undefined,
    ended,
    meter: undefined,
    degraded,
    kill,
    keepAlive,
    setUpProblem,
  };
}
