// What the end of a thread means for the call that it served, in the terms of a process.
import type {RunnerEnd} from '../backends/sandbox-backend.ts';
import type {ThreadStreams} from './open-thread-streams.ts';
import type {CallOver} from './thread-messages.ts';

export interface ServedCall extends ThreadStreams {
  settle(end: RunnerEnd): void;
  over: CallOver | undefined;
  isKilled: boolean;
  outOfMemory: boolean;
}

export type ThreadProblem = Error & {readonly code?: unknown};

/** Exit codes of a shell. */
const [killedExit, abortedExit] = [137, 134];

export function endOfThread(call: ServedCall, problem: ThreadProblem | undefined): RunnerEnd {
  if (problem?.code === 'ERR_WORKER_OUT_OF_MEMORY') call.outOfMemory = true;
  if (call.outOfMemory) return {exitCode: abortedExit, signal: 'SIGABRT'};
  if (call.over !== undefined) return {exitCode: 0};
  if (call.isKilled) return {exitCode: killedExit, signal: 'SIGKILL'};
  const startError = problem === undefined ? 'its thread ended' : `its thread failed: ${problem.message}`;
  return {exitCode: abortedExit, startError};
}
