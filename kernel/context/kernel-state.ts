// The state of a workspace: a fold over its event log, shared by all processes of the workspace.
import type {KernelEvent} from '@lumenflow/schemas';
import {evolveApproval, isApprovalEvent} from '../approvals/evolve-approval.ts';
import type {ApprovalRecord} from '../approvals/approval-record.ts';
import {createOpenApprovals} from '../approvals/open-approvals.ts';
import {evolveKeptChanges, type KeptChanges} from '../changes/kept-changes.ts';
import {evolveTask, isTaskEvent} from '../tasks/evolve-task.ts';
import {createClaimedTasks} from '../tasks/claimed-tasks.ts';
import type {TaskRecord} from '../tasks/task-record.ts';

export interface KernelState {
  readonly tasks: ReadonlyMap<string, TaskRecord>;
  readonly approvals: ReadonlyMap<string, ApprovalRecord>;
  /** Changes that waited, or wait, by the receipt of their call. */
  readonly changes: ReadonlyMap<string, KeptChanges>;
  /** A session's tasks, in the order of its claims. */
  claimedBy(sessionId: string): readonly TaskRecord[];
  /** The newest request for exactly this call, claim or completion. */
  approvalFor(binding: string): ApprovalRecord | undefined;
  /** Requests of a session that can still be answered or used, in the order they were asked for; some may have expired. */
  openApprovals(sessionId: string): readonly ApprovalRecord[];
  apply(event: KernelEvent): void;
}

export function createKernelState(): KernelState {
  const tasks = new Map<string, TaskRecord>();
  const approvals = new Map<string, ApprovalRecord>();
  const changes = new Map<string, KeptChanges>();
  const held = createClaimedTasks();
  const open = createOpenApprovals();
  const newestByBinding = new Map<string, string>();
  return {
    tasks,
    approvals,
    changes,
    claimedBy: held.of,
    approvalFor: (binding) => approvals.get(newestByBinding.get(binding) ?? ''),
    openApprovals: open.of,
    apply(event) {
      const kept = evolveKeptChanges(changes, event);
      if (kept) changes.set(kept.receipt_id, kept);
      if (isTaskEvent(event)) {
        const before = tasks.get(event.task_id);
        const task = evolveTask(before, event);
        if (!task) return;
        tasks.set(task.task_id, task);
        held.change(before, task);
      } else if (isApprovalEvent(event)) {
        const approval = evolveApproval(approvals.get(event.request_id), event);
        if (!approval) return;
        approvals.set(approval.request_id, approval);
        open.change(approval);
        if (event.type === 'approval_requested') newestByBinding.set(approval.binding, approval.request_id);
      }
    },
  };
}
