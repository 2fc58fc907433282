// Due sessions and workflows as jobs that can run now.
import type {AgentHost, AgentRun, AgentRunOptions} from './agent-sessions.ts';
import {carryOutAgentSession, leaveAgentSession, resumeAgentSession, startAgentSession} from './agent-sessions.ts';
import {askNodeApproval, taskOfNodeApproval} from './ask-node-approval.ts';
import {countLanePlaces} from './lane-places.ts';
import type {DueWork} from './read-due.ts';
import type {Job} from '../jobs/job-runner.ts';

export interface DueJobsOptions {
  /** The identity of the agents. */
  readonly by: string;
  onRun(run: AgentRun): void;
}

interface Work {
  /** The id of the session or of the question. */
  readonly task_id: string;
  readonly lane_id: string | undefined;
  run(options: AgentRunOptions): Promise<AgentRun | void>;
}

/** Jobs that free lanes come first, then those whose approvals were answered. */
export function dueJobs(host: AgentHost, due: DueWork, {by, onRun}: DueJobsOptions): readonly Job[] {
  const {runtime} = host;
  const places = countLanePlaces(runtime);
  const claimed = new Set(runtime.listTasks({state: 'active'}).map(({task_id}) => task_id));
  const [{id: firstLane}] = runtime.workspace.spec.lanes;

  /** A claimed task keeps its place; any other takes a new one. */
  function checkOutFor({task_id, lane_id = firstLane}: Work): boolean {
    const left = claimed.has(task_id) ? undefined : places.get(lane_id);
    if (left === 0) return false;
    if (left !== undefined) places.set(lane_id, left - 1);
    return true;
  }
  return workOf(host, by, due).map((work) => ({
    id: work.task_id,
    mayBegin: () => checkOutFor(work),
    async run(signal) {
      const run = await work.run({signal});
      if (run) onRun(run);
    },
  }));
}

function workOf(host: AgentHost, by: string, due: DueWork): readonly Work[] {
  const {runtime} = host;
  const pending = runtime.listApprovals({state: 'pending'});
  const requests = new Set(pending.map(({request_id}) => request_id));
  const asking = new Set(pending.map(({subject}) => subject.task_id));
  const done = new Set(runtime.listTasks({state: 'done'}).map(({task_id}) => task_id));
  const answered = due.waiting.filter(({approvals = []}) => !approvals.some((id) => requests.has(id)));
  const unasked = due.approvals.filter((node) => {
    const task_id = taskOfNodeApproval(node);
    return !asking.has(task_id) && !done.has(task_id);
  });
  return [
    ...due.over.map((place) => ({
      ...placeOf(place.session_id, place),
      run: async () => await leaveAgentSession(host, {by, session_id: place.session_id}),
    })),
    ...answered.map((place) => ({
      ...placeOf(place.session_id, place),
      run: async (options: AgentRunOptions) =>
        await resumeAgentSession(
          host,
          {by, session_id: place.session_id, reason: 'approval', is_operator: true},
          options,
        ),
    })),
    ...unasked.map((node) => ({
      ...placeOf(taskOfNodeApproval(node), node),
      run: async () => await askNodeApproval(runtime, by, node),
    })),
    ...due.sessions.map((place) => ({
      ...placeOf(place.session_id, place),
      run: async (options: AgentRunOptions) => await carryOutAgentSession(host, {by, ...place}, options),
    })),
    ...due.nodes.map((node) => ({
      ...placeOf(node.session_id, node),
      run: async (options: AgentRunOptions) => await startAgentSession(host, {by, ...node}, options),
    })),
  ];
}

function placeOf(task_id: string, {lane_id}: {readonly lane_id?: string}): Omit<Work, 'run'> {
  return {task_id, lane_id};
}
