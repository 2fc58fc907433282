// The id of a session, or of the question about a node, as a run of an engine. Programs use the ids of their tasks, which have no colon.

const prefix = 'agent:';

export function agentRunId(task_id: string): string {
  return prefix + task_id;
}

/** Undefined: the run is not an agent's. */
export function taskOfAgentRun(run_id: string): string | undefined {
  return run_id.startsWith(prefix) ? run_id.slice(prefix.length) : undefined;
}
