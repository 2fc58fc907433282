// The id of a run by its beginning.
import type {KernelRuntime} from '@lumenflow/kernel';
import {isRunId} from '../../exec/index.ts';
import {findByPrefix} from '../lookup/find-by-prefix.ts';

/** A text that no run begins with is returned unchanged: what follows reports it. */
export function findRunId({listTasks}: KernelRuntime, text: string): string {
  const runs = listTasks().filter(({task_id}) => isRunId(task_id));
  return text === '' ? text : (findByPrefix(text, runs, ({task_id}) => task_id)?.task_id ?? text);
}
