// A workflow: nodes that are sessions, with their dependencies. Its journal contains the definition and people's decisions about
// it. The state of its nodes is in their sessions.
import type {SessionBrief, SessionOutcome} from '@lumenflow/pack-sdk/agent-session';
import type {Starter} from '../sessions/session.ts';

export interface Dependency {
  readonly node_id: string;
  /** Required outcomes of the dependency; default complete or reply. */
  readonly outcomes?: readonly SessionOutcome[];
}

export interface WorkflowNode extends Omit<SessionBrief, 'workflow_id' | 'lane_id'> {
  readonly node_id: string;
  readonly depends_on?: readonly Dependency[];
  /** Earliest start time, UTC. */
  readonly wake_at?: string;
  /** A person must approve the start. */
  readonly approval_required?: boolean;
}

export interface WorkflowDefinition {
  readonly lane_id?: string;
  readonly nodes: readonly WorkflowNode[];
}

export type WorkflowEvent =
  | {readonly type: 'created'; readonly at: string; readonly definition: WorkflowDefinition; readonly by?: Starter}
  | {readonly type: 'node_approved'; readonly at: string; readonly node_id: string}
  | {readonly type: 'resumed'; readonly at: string}
  | {readonly type: 'cancelled'; readonly at: string; readonly reason: string};

export interface Workflow extends WorkflowDefinition {
  readonly workflow_id: string;
  readonly approved: readonly string[];
  readonly started_by?: Starter;
  readonly cancelled?: string;
}

/** Undefined if there are no events. */
export function foldWorkflow(workflow_id: string, events: readonly WorkflowEvent[]): Workflow | undefined {
  return events.reduce<Workflow | undefined>((workflow, event) => {
    if (event.type === 'created')
      return {workflow_id, ...event.definition, approved: [], ...(event.by && {started_by: event.by})};
    if (workflow === undefined) return undefined;
    const {cancelled: _cancelled, ...standing} = workflow;
    if (event.type === 'resumed') return standing;
    if (event.type === 'cancelled') return {...standing, cancelled: event.reason};
    return {...workflow, approved: [...workflow.approved, event.node_id]};
  }, undefined);
}

/** The session of a node. */
export function sessionOfNode(workflow_id: string, node_id: string): string {
  return `${workflow_id}.${node_id}`;
}
