// The claimed tasks of each session, updated with each event, because every call of a session needs them.
import {isInProgress} from './is-in-progress.ts';
import type {TaskRecord} from './task-record.ts';

export interface ClaimedTasks {
  /** Active and blocked ones, in the order of their claims. */
  of(sessionId: string): readonly TaskRecord[];
  /** All of them, in the order of their claims within each session. */
  ids(): readonly string[];
  /** Must be called for every change of a task. */
  change(before: TaskRecord | undefined, after: TaskRecord): void;
}

/** `claimed`: in the order of their claims. */
export function createClaimedTasks(claimed: readonly TaskRecord[] = []): ClaimedTasks {
  const bySession = new Map<string, Map<string, TaskRecord>>();
  const tasks: ClaimedTasks = {
    of: (sessionId) => [...(bySession.get(sessionId)?.values() ?? [])],
    ids: () => [...bySession.values()].flatMap((held) => [...held.keys()]),
    change(before, after) {
      const session = after.run?.session_id;
      if (session !== undefined && isInProgress(after)) {
        const held = bySession.get(session) ?? new Map<string, TaskRecord>();
        bySession.set(session, held.set(after.task_id, after));
        return;
      }
      const left = before?.run?.session_id ?? '';
      const held = bySession.get(left);
      held?.delete(after.task_id);
      if (held?.size === 0) bySession.delete(left);
    },
  };
  for (const task of claimed) tasks.change(undefined, task);
  return tasks;
}
