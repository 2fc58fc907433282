// The id of a run, of its task and of its session: they are the same, so that any process finds all of them.
import {randomBytes} from 'node:crypto';

const prefix = 'program-';

export function newRunId(): string {
  return prefix + randomBytes(6).toString('hex');
}

export function isRunId(taskId: string): boolean {
  return taskId.startsWith(prefix);
}
