// The state of a workspace: a fold over its event log, shared by all processes of the workspace.
import type {KernelEvent} from '@lumenflow/schemas';
import {evolveApproval, isApprovalEvent, withdrawn} from '../approvals/evolve-approval.ts';
import type {ApprovalRecord} from '../approvals/approval-record.ts';
import {createExpiryWatch} from '../approvals/expiry-watch.ts';
import {createOpenApprovals} from '../approvals/open-approvals.ts';
import {evolveKeptChanges, type KeptChanges} from '../changes/kept-changes.ts';
import {evolveTask, isTaskEvent} from '../tasks/evolve-task.ts';
import {createClaimedTasks} from '../tasks/claimed-tasks.ts';
import type {TaskRecord} from '../tasks/task-record.ts';
import type {Usage} from '../usage/usage.ts';
import {applyClaim, applySalvage, applyTaint, taintIn, type Taint} from '../taint/taint.ts';
import {evolveNotification, type NotificationRecord} from '../notifications/notification-record.ts';
import {evolvePasskeys} from '../passkeys/evolve-passkeys.ts';
import type {PasskeyRecord} from '../passkeys/passkey-record.ts';
import {evolvePeople} from '../people/evolve-people.ts';
import type {PersonRecord, ProvisionedPerson, SignIn} from '../people/person-record.ts';
import {evolveGroups, type ProvisionedGroup} from '../people/provisioned-group.ts';
import type {Records} from '../records/record-table.ts';
import {evolveRetention, type RetentionState} from '../retention/retention.ts';
import {emptyState, readState, writeState, type StateParts} from './state-text.ts';

export interface KernelState {
  readonly tasks: Records<TaskRecord>;
  readonly approvals: Records<ApprovalRecord>;
  /** Changes that waited, or wait, by the receipt of their call. */
  readonly changes: Records<KeptChanges>;
  /** A session's tasks, in the order of its claims. */
  claimedBy(sessionId: string): readonly TaskRecord[];
  /** The newest request for exactly this call, claim or completion. */
  approvalFor(binding: string): ApprovalRecord | undefined;
  /** Requests of a session that can still be answered or used, in the order they were asked for; some may have expired. */
  openApprovals(sessionId: string): readonly ApprovalRecord[];
  /** By `personKey`. */
  readonly people: Records<PersonRecord>;
  /** By the SHA-256 of their token. */
  readonly signIns: Records<SignIn>;
  /** By `personKey`. */
  readonly provisioned: Records<ProvisionedPerson>;
  /** By their ids. */
  readonly groups: Records<ProvisionedGroup>;
  /** By `passkey_id`, in the order in which they were added; removed ones too. */
  readonly passkeys: Records<PasskeyRecord>;
  /** By `notificationKey`. */
  readonly notifications: Records<NotificationRecord>;
  /** What calls of rules with `at_most` add up to. */
  readonly usage: Pick<Usage, 'used' | 'countsFrom'>;
  /** What may contain text that others wrote. */
  readonly taint: Taint;
  /** Hashes of contents that were redacted. */
  readonly redacted: readonly string[];
  /** Legal holds, and deletions by rules. */
  readonly retention: RetentionState;
  apply(event: KernelEvent): void;
  /** All of it, for `restoreKernelState`. */
  text(): string;
}

export function createKernelState(): KernelState {
  return stateOver(emptyState(), []);
}

/** Undefined if another version of the kernel wrote the text. */
export function restoreKernelState(text: string): KernelState | undefined {
  const read = readState(text);
  return read && stateOver(read.parts, read.claimed);
}

function stateOver(parts: StateParts, claimed: readonly string[]): KernelState {
  const {tasks, approvals, changes, bindings, taint, usage, redacted} = parts;
  const held = createClaimedTasks(claimed.flatMap((id) => tasks.get(id) ?? []));
  const {open, expiry, setApproval} = followApprovals(approvals);
  return {
    tasks,
    approvals,
    changes,
    claimedBy: held.of,
    approvalFor: (binding) => approvals.get(bindings.get(binding) ?? ''),
    openApprovals: open.of,
    people: parts.people,
    signIns: parts.sign_ins,
    provisioned: parts.provisioned,
    groups: parts.groups,
    passkeys: parts.passkeys,
    notifications: parts.notifications,
    usage,
    taint: taintIn(taint),
    redacted,
    get retention() {
      return parts.retention;
    },
    text: () => writeState(parts, held.ids()),
    apply(event) {
      for (const approval of expiry.expiredBy(event.timestamp, () => approvals.open())) setApproval(approval);
      const kept = evolveKeptChanges(changes, event);
      if (kept) changes.set(kept.receipt_id, kept);
      evolvePersons(parts, event);
      parts.retention = evolveRetention(parts.retention, event);
      evolveNotification(parts.notifications, event);
      if (event.type === 'call_counted') {
        usage.apply(event);
      } else if (event.type === 'taint_added') {
        applyTaint(taint, event);
      } else if (event.type === 'evidence_redacted') {
        redacted.push(...event.hashes);
      } else if (event.type === 'evidence_salvaged') {
        if (event.log === 'traces') return;
        applySalvage(taint, event, tasks.values());
        for (const approval of [...approvals.open()].map((each) => withdrawn(each, event))) setApproval(approval);
      } else if (isTaskEvent(event)) {
        const before = tasks.get(event.task_id);
        const task = evolveTask(before, event);
        if (!task) return;
        if (event.type === 'task_claimed') applyClaim(taint, event);
        tasks.set(task.task_id, task);
        held.change(before, task);
      } else if (isApprovalEvent(event)) {
        const approval = evolveApproval(approvals.get(event.request_id), event);
        if (!approval) return;
        setApproval(approval);
        if (event.type === 'approval_requested') bindings.set(approval.binding, approval.request_id);
      }
    },
  };
}

function evolvePersons(parts: StateParts, event: KernelEvent): void {
  evolvePeople(parts, event);
  evolvePasskeys(parts.passkeys, event);
  evolveGroups(parts.groups, event);
}

function followApprovals(approvals: StateParts['approvals']) {
  const open = createOpenApprovals(approvals.open());
  const expiry = createExpiryWatch(approvals.open());
  return {
    open,
    expiry,
    setApproval(approval: ApprovalRecord): void {
      approvals.set(approval.request_id, approval);
      open.change(approval);
      expiry.change(approval);
    },
  };
}
