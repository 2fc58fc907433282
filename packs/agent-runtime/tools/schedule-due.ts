// agent-schedule:due returns the scheduler's due work, and when to check again.
import type {ContinuationReason, SessionBrief} from '@lumenflow/pack-sdk/agent-session';
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {listSessions} from '../sessions/session-log.ts';
import type {Session} from '../sessions/session.ts';
import {viewWorkflow, type NodeView} from '../workflows/view-workflow.ts';
import {listWorkflows} from '../workflows/workflow-log.ts';
import {sessionOfNode, type Workflow, type WorkflowNode} from '../workflows/workflow.ts';

export interface DueNode extends SessionBrief {
  readonly session_id: string;
  readonly reason: ContinuationReason;
}

export interface ScheduleDueInput {
  /** Sessions whose tasks are claimed. */
  readonly held?: readonly string[];
}

export interface ScheduleDueOutput {
  /** Sessions that can continue. */
  readonly sessions: readonly {readonly session_id: string; readonly lane_id?: string}[];
  /** Sessions that wait for these requests. */
  readonly waiting: readonly {
    readonly session_id: string;
    readonly lane_id?: string;
    readonly approvals: readonly string[];
  }[];
  /** Claimed sessions that cannot continue; their tasks can be released. */
  readonly over: readonly {readonly session_id: string; readonly lane_id?: string}[];
  /** Nodes whose sessions to start, each an input of `agent-session:start`. */
  readonly nodes: readonly DueNode[];
  /** Nodes that wait for a person's approval. */
  readonly approvals: readonly {readonly workflow_id: string; readonly node_id: string; readonly lane_id?: string}[];
  /** When the next sleeping node wakes, if there is one. */
  readonly next_wake_at?: string;
}

export const scheduleDue: ToolDefinition<ScheduleDueInput, ScheduleDueOutput> = defineTool({
  async run({held = []}, context) {
    const now = Date.now();
    const sessions = new Map((await listSessions(context)).map((session) => [session.session_id, session]));
    const workflows = await listWorkflows(context);
    const standing = workflows
      .filter(({cancelled}) => cancelled === undefined)
      .map((workflow) => ({workflow, nodes: viewWorkflow(workflow, sessions, now).nodes}));
    const stopped = new Set(
      workflows
        .filter(({cancelled}) => cancelled !== undefined)
        .flatMap(({workflow_id, nodes}) => nodes.map(({node_id}) => sessionOfNode(workflow_id, node_id))),
    );
    const live = [...sessions.values()].filter(({session_id}) => !stopped.has(session_id));
    const goesOn = new Set(live.filter(isOpen).map(({session_id}) => session_id));
    const sleeping = standing.flatMap(({workflow, nodes}) => nodesIn(workflow, nodes, 'sleeping'));
    const [next] = sleeping.flatMap(({wake_at}) => wake_at ?? []).toSorted((a, b) => Date.parse(a) - Date.parse(b));
    return {
      sessions: live.filter(({status}) => status === 'ready').map(placeOf),
      waiting: live
        .filter(({status}) => status === 'waiting')
        .map((session) => ({...placeOf(session), approvals: session.approvals ?? []})),
      over: held
        .flatMap((session_id) => sessions.get(session_id) ?? [])
        .filter(({session_id}) => !goesOn.has(session_id))
        .map(placeOf),
      nodes: standing.flatMap(({workflow, nodes}) => dueNodes(workflow, nodes, sessions)),
      approvals: standing.flatMap(({workflow, nodes}) =>
        nodesIn(workflow, nodes, 'approval_required').map(({node_id}) => ({
          workflow_id: workflow.workflow_id,
          node_id,
          ...(workflow.lane_id !== undefined && {lane_id: workflow.lane_id}),
        })),
      ),
      ...(next !== undefined && {next_wake_at: next}),
    };
  },
});

function isOpen({status}: Session): boolean {
  return status === 'ready' || status === 'waiting';
}

function placeOf({session_id, brief: {lane_id}}: Session): {readonly session_id: string; readonly lane_id?: string} {
  return {session_id, ...(lane_id !== undefined && {lane_id})};
}

function nodesIn({nodes}: Workflow, views: readonly NodeView[], state: NodeView['state']): readonly WorkflowNode[] {
  return nodes.filter((_, index) => views[index]?.state === state);
}

function dueNodes(
  workflow: Workflow,
  views: readonly NodeView[],
  sessions: ReadonlyMap<string, Session>,
): readonly DueNode[] {
  return workflow.nodes.flatMap((node, index) => {
    const view = views[index];
    if (view?.state !== 'ready') return [];
    const {node_id: _id, depends_on = [], wake_at: _wake, approval_required: _approval, task, ...brief} = node;
    const {workflow_id, lane_id} = workflow;
    const results = depends_on.flatMap(({node_id}) => {
      const message = sessions.get(sessionOfNode(workflow_id, node_id))?.message;
      return message === undefined ? [] : [`Result of \`${node_id}\`:\n${message}`];
    });
    return [
      {
        ...brief,
        session_id: view.session_id,
        workflow_id,
        ...(lane_id !== undefined && {lane_id}),
        reason: view.reason,
        task: [task, ...results].join('\n\n'),
      },
    ];
  });
}
