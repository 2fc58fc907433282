// Reports a session that cannot start or resume like any other command failure.
import type {ToolFailure} from '@lumenflow/schemas';
import {AgentSessionError} from '../../agent/agent-session-error.ts';
import {CliError} from '../failures/cli-error.ts';

/** Throws CliError. */
export async function orAgentFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AgentSessionError)) throw error;
    throw agentFailure(error.failure);
  }
}

export function agentFailure({code, message, details}: ToolFailure): CliError {
  return new CliError(code, message, {details, help: fixes[code]});
}

const fixes: Readonly<Record<string, string>> = {
  TOOL_NOT_FOUND: 'pin the pack `agent-runtime` in workspace.yaml: it provides agent sessions',
  SESSION_NOT_FOUND: '`lumenflow agent list` lists the sessions',
  MODEL_NOT_CONFIGURED: 'name a model under `agent_runtime.models` in workspace.yaml',
  WIP_LIMIT_REACHED: 'complete or release a task of the lane, or choose another lane with --lane LANE',
};
