// Agents' sessions, and the questions about nodes of workflows, as the work of an engine. An attempt does what is due. It continues from the
// journals and the evidence, so any process may repeat it.
import type {EngineWork, RunProgress} from '@lumenflow/kernel/adapters';
import {agentFailedWith, AgentSessionError, missedCodes, takenCodes} from './agent-session-error.ts';
import type {AgentHost, AgentRun} from './agent-sessions.ts';
import {taskOfAgentRun} from './agent-run-id.ts';
import {dueJobs} from './due-jobs.ts';
import {readDue} from './read-due.ts';

/** `by`: the identity of the agents; default `agent`. */
export function agentWork(host: AgentHost, by = 'agent'): EngineWork {
  const {runtime} = host;

  /** By the requests that a person has not answered. */
  const afterwards = (task_id: string): RunProgress => {
    const pending = runtime.listApprovals({task_id}).filter(({state}) => state === 'pending');
    return pending.length === 0
      ? {state: 'over'}
      : {state: 'waiting', waits_for: pending.map(({request_id}) => request_id)};
  };

  async function runDue(task_id: string, signal: AbortSignal): Promise<RunProgress> {
    let last: AgentRun | undefined;
    const onRun = (run: AgentRun): void => {
      last = run;
    };
    const due = await readDue(runtime, signal);
    const job = dueJobs(host, due, {by, onRun}).find(({id}) => id === task_id);
    if (job === undefined) return afterwards(task_id);
    if (!job.mayBegin()) return {state: 'later', reason: 'the lane is full'};
    await job.run(signal);
    if (last?.status === 'interrupted') return {state: 'later', reason: 'the session was interrupted'};
    if (last?.status === 'waiting') return {state: 'waiting', waits_for: last.approvals ?? []};
    return afterwards(task_id);
  }

  return {
    async advance(run_id, signal) {
      const task_id = idOf(run_id);
      await runtime.refresh();
      try {
        return await runDue(task_id, signal);
      } catch (error) {
        if (!agentFailedWith(error, [...takenCodes, ...missedCodes])) throw error;
        return {state: 'later', reason: (error as Error).message};
      }
    },
    async read(run_id) {
      const task_id = idOf(run_id);
      await runtime.refresh();
      const task = runtime.listTasks().find((each) => each.task_id === task_id);
      if (task === undefined) return undefined;
      const progress = afterwards(task_id);
      const isOver = progress.state === 'over' && task.state !== 'active';
      return isOver || progress.state === 'waiting' ? progress : {state: 'later', reason: 'the session can continue'};
    },
  };
}

/** Throws AgentSessionError TASK_NOT_FOUND. */
function idOf(run_id: string): string {
  const task_id = taskOfAgentRun(run_id);
  if (task_id !== undefined) return task_id;
  throw new AgentSessionError({code: 'TASK_NOT_FOUND', message: `\`${run_id}\` is not a session of an agent`});
}
