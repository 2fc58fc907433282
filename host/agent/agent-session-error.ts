// The session could not be started or resumed: the error of the pack or the kernel. It is thrown, because it ends a run of many
// steps, and a scheduler retries the run like after any other exception.
import type {ToolFailure} from '@lumenflow/schemas';
import {isFinalFailure} from '../engine/is-final-failure.ts';

export class AgentSessionError extends Error {
  readonly failure: ToolFailure;
  /** For engines: whether another attempt would fail in the same way. */
  readonly is_final: boolean;

  constructor(failure: ToolFailure) {
    super(failure.message);
    this.name = 'AgentSessionError';
    this.failure = failure;
    this.is_final = isFinalFailure(failure);
  }
}

/** Another process runs it, or other tasks fill its lane. */
export const takenCodes: readonly string[] = ['SESSION_BUSY', 'WIP_LIMIT_REACHED'];
/** Another process changed it between the check and the start. */
export const missedCodes: readonly string[] = ['SESSION_OVER', 'SESSION_EXISTS', 'SESSION_NOT_READY'];

export function agentFailedWith(error: unknown, codes: readonly string[]): boolean {
  return error instanceof AgentSessionError && codes.includes(error.failure.code);
}
