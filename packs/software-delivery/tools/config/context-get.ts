// context:get returns the context of the call: session, task, lane, work unit and grants.
import {defineTool, type GrantedScopes, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import type {Lease, WorkUnit} from '../../work-units/work-unit.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface ContextOutput {
  readonly session_id: string;
  readonly task_id: string;
  readonly run_id: string;
  readonly lane_id: string;
  readonly workspace_root: string;
  readonly main_branch: string;
  /** Of this call. Other tools can have different scopes. */
  readonly granted_scopes: GrantedScopes;
  /** Null if the task is not a work unit. */
  readonly wu: CurrentWu | null;
}

interface CurrentWu extends Pick<WorkUnit, 'status' | 'branch' | 'worktree'> {
  readonly id: string;
  readonly title: string;
  readonly code_paths: readonly string[];
  readonly lease?: Lease;
}

export const contextGet: ToolDefinition<object, ContextOutput, PackConfig> = defineTool({
  async run(_input, context) {
    const {session_id, task_id, run_id, lane_id, workspace_root, granted_scopes, config} = context;
    const {units} = await openDeliveryLog(context).read(workUnitSlice);
    const unit = Object.hasOwn(units, task_id) ? units[task_id] : undefined;
    const main_branch = config?.main_branch ?? 'main';
    const call = {session_id, task_id, run_id, lane_id, workspace_root, main_branch, granted_scopes};
    return {...call, wu: unit === undefined ? null : currentWu(unit)};
  },
});

function currentWu({spec, status, branch, worktree, lease}: WorkUnit): CurrentWu {
  const {id, title, code_paths} = spec;
  return {
    id,
    title,
    code_paths,
    status,
    ...(branch !== undefined && {branch}),
    ...(worktree !== undefined && {worktree}),
    ...(lease !== undefined && {lease}),
  };
}
