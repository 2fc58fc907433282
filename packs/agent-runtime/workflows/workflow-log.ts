// The journals of workflows, one append-only log each.
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {listSessions} from '../sessions/session-log.ts';
import {viewWorkflow, type WorkflowView} from './view-workflow.ts';
import {foldWorkflow, type Workflow, type WorkflowEvent} from './workflow.ts';

type States = Pick<ToolContext, 'state' | 'stateNames'>;

const folder = 'workflow/workflows/';

/** Throws ToolError WORKFLOW_EXISTS. */
export async function createWorkflow({state}: States, workflow_id: string, event: WorkflowEvent): Promise<void> {
  const log = state(folder + workflow_id);
  const {lines, version} = await log.lines();
  if (lines.length > 0) {
    throw new ToolError('WORKFLOW_EXISTS', `the workflow \`${workflow_id}\` already exists`, {workflow_id});
  }
  await log.append([JSON.stringify(event)], {expect: version});
}

/** None of these events depends on an earlier one. */
export async function appendToWorkflow({state}: States, workflow_id: string, event: WorkflowEvent): Promise<void> {
  await state(folder + workflow_id).append([JSON.stringify(event)]);
}

/** Throws ToolError WORKFLOW_NOT_FOUND. */
export async function findWorkflow(states: States, workflow_id: string): Promise<Workflow> {
  const workflow = await readWorkflow(states, workflow_id);
  if (workflow !== undefined) return workflow;
  throw new ToolError('WORKFLOW_NOT_FOUND', `there is no workflow \`${workflow_id}\``, {workflow_id});
}

/** Sorted by id. */
export async function listWorkflows(states: States): Promise<readonly Workflow[]> {
  const names = await states.stateNames(folder);
  const workflows = await Promise.all(names.map(async (name) => await readWorkflow(states, name.slice(folder.length))));
  return workflows.filter((workflow) => workflow !== undefined);
}

/** Throws ToolError WORKFLOW_NOT_FOUND. */
export async function viewRecordedWorkflow(states: States, workflow_id: string): Promise<WorkflowView> {
  const workflow = await findWorkflow(states, workflow_id);
  const sessions = new Map((await listSessions(states)).map((session) => [session.session_id, session]));
  return viewWorkflow(workflow, sessions, Date.now());
}

async function readWorkflow({state}: States, workflow_id: string): Promise<Workflow | undefined> {
  const {lines} = await state(folder + workflow_id).lines();
  return foldWorkflow(
    workflow_id,
    lines.map((line) => JSON.parse(line) as WorkflowEvent),
  );
}
