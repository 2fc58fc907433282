// The state of each node of a workflow, from the sessions of all nodes and the time. It says what is ready, what waits, and which
// dependencies were not met.
import type {ContinuationReason, SessionOutcome} from '@lumenflow/pack-sdk/agent-session';
import type {Session} from '../sessions/session.ts';
import {sessionOfNode, type Dependency, type Workflow, type WorkflowNode} from './workflow.ts';

export type NodeState =
  /** Its session has not started: it may start, or waits for other nodes, its time or a person. */
  | {readonly state: 'ready'; readonly reason: ContinuationReason}
  | {readonly state: 'blocked' | 'sleeping' | 'approval_required'}
  /** None of its dependencies ended as required. */
  | {readonly state: 'skipped'}
  /** Its session has started; this is the session's state. */
  | {readonly state: 'running' | 'waiting' | 'cancelled'}
  | {readonly state: 'ended'; readonly outcome: SessionOutcome};

export type NodeView = NodeState & {readonly node_id: string; readonly session_id: string};

export interface WorkflowView {
  readonly workflow_id: string;
  readonly status: 'running' | 'done' | 'cancelled';
  readonly lane_id?: string;
  readonly nodes: readonly NodeView[];
}

const usualOutcomes: readonly SessionOutcome[] = ['complete', 'reply'];

/** `sessions` by id; `now` in milliseconds since the epoch. */
export function viewWorkflow(workflow: Workflow, sessions: ReadonlyMap<string, Session>, now: number): WorkflowView {
  const states = new Map<string, NodeState>();
  const byId = new Map(workflow.nodes.map((node) => [node.node_id, node]));
  const stateOf = (id: string): NodeState => {
    const known = states.get(id);
    if (known !== undefined) return known;
    const node = byId.get(id);
    const session = sessions.get(sessionOfNode(workflow.workflow_id, id));
    const state = session === undefined ? beforeBegin(node, {workflow, now, stateOf}) : stateOfSession(session);
    states.set(id, state);
    return state;
  };
  const nodes = workflow.nodes.map(({node_id}): NodeView => ({
    node_id,
    session_id: sessionOfNode(workflow.workflow_id, node_id),
    ...stateOf(node_id),
  }));
  const isDone = nodes.every(({state}) => state === 'ended' || state === 'skipped' || state === 'cancelled');
  const {workflow_id, lane_id, cancelled} = workflow;
  return {
    workflow_id,
    status: cancelled === undefined ? (isDone ? 'done' : 'running') : 'cancelled',
    ...(lane_id !== undefined && {lane_id}),
    nodes,
  };
}

function stateOfSession({status, outcome}: Session): NodeState {
  if (status === 'ended') return {state: 'ended', outcome: outcome ?? 'failed'};
  return {state: status === 'ready' ? 'running' : status};
}

interface Surroundings {
  readonly workflow: Workflow;
  readonly now: number;
  stateOf(id: string): NodeState;
}

function beforeBegin(node: WorkflowNode | undefined, {workflow, now, stateOf}: Surroundings): NodeState {
  if (node === undefined) return {state: 'skipped'};
  const {node_id, depends_on = [], wake_at, approval_required} = node;
  const ways = depends_on.map((dependency) => judgeWay(dependency, stateOf(dependency.node_id)));
  if (ways.includes('open')) return {state: 'blocked'};
  // A join needs at least one dependency that ended as required.
  if (ways.length > 0 && !ways.includes('taken')) return {state: 'skipped'};
  if (wake_at !== undefined && Date.parse(wake_at) > now) return {state: 'sleeping'};
  if (approval_required === true && !workflow.approved.includes(node_id)) return {state: 'approval_required'};
  return {state: 'ready', reason: reasonOf(node)};
}

function judgeWay({outcomes = usualOutcomes}: Dependency, state: NodeState): 'open' | 'taken' | 'not_taken' {
  if (state.state === 'skipped' || state.state === 'cancelled') return 'not_taken';
  if (state.state !== 'ended') return 'open';
  return outcomes.includes(state.outcome) ? 'taken' : 'not_taken';
}

/** What the node waited for last. */
function reasonOf({depends_on = [], wake_at, approval_required}: WorkflowNode): ContinuationReason {
  if (approval_required === true) return 'approval';
  if (wake_at !== undefined) return 'wakeup';
  if (depends_on.length === 0) return 'created';
  return depends_on.length === 1 ? 'branch_completed' : 'join_ready';
}
