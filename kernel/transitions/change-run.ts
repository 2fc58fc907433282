// Block, unblock and release: simple transitions of a claimed task.
import type {Person} from '@lumenflow/schemas';
import {KernelError} from '../errors.ts';
import type {Kernel} from '../context/kernel.ts';
import type {NewEvent} from '../ports.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import {decideClaimed} from '../tasks/decide-task.ts';
import type {TaskRecord} from '../tasks/task-record.ts';
import {checkIds} from './check-ids.ts';
import {withdrawalsOf} from './withdraw-approvals.ts';

/** `session_id` is the session that owns the task; without it, the host itself acts, under the name `by` or `host`. */
export interface ChangeRunCommand {
  readonly task_id: string;
  readonly session_id?: string;
  readonly by?: string;
  /** The identity of `by`, for a person that signed in. */
  readonly person?: Person | undefined;
}

export type Verb = 'block' | 'unblock' | 'release';
const from: Readonly<Record<Verb, readonly TaskRecord['state'][]>> = {
  block: ['active'],
  unblock: ['blocked'],
  release: ['active', 'blocked'],
};

export async function changeRun(
  kernel: Kernel,
  verb: Verb,
  command: ChangeRunCommand & {readonly reason: string},
): Promise<TransitionResult<TaskRecord>> {
  const {task_id, session_id, by, person, reason} = command;
  const invalid = checkIds({task_id, ...(session_id !== undefined && {session_id}), ...(by !== undefined && {by})});
  if (invalid) return invalid;
  if (typeof reason !== 'string') return fail('INVALID_INPUT', '`reason` must be a text');
  const outcome = await kernel.ports.events.transact<TransitionResult<unknown>>(() => {
    const held = decideClaimed(kernel.state.tasks, {task_id, session_id, verb}, from[verb]);
    if (!held.success) return {events: [], result: held};
    const base = {
      timestamp: kernel.ports.clock.timestamp(),
      actor: by ?? (session_id === undefined ? 'host' : held.data.run.by),
      ...(person && {person}),
      task_id,
    };
    const left =
      verb === 'release'
        ? withdrawalsOf(kernel, held.data, {
            actor: base.actor,
            reason: `task \`${task_id}\` was released`,
          })
        : [];
    return {events: [eventOf(verb, base, reason), ...left], result: held};
  });
  const record = kernel.state.tasks.get(task_id);
  if (!outcome.success) return outcome;
  if (!record) throw new KernelError('BROKEN_INVARIANT', `task ${task_id} vanished from the fold`);
  return succeed(record);
}

interface EventBase {
  readonly timestamp: string;
  readonly actor: string;
  readonly person?: Person;
  readonly task_id: string;
}

function eventOf(verb: Verb, base: EventBase, reason: string): NewEvent {
  switch (verb) {
    case 'block':
      return {...base, type: 'task_blocked', reason};
    case 'unblock':
      return {...base, type: 'task_unblocked'};
    case 'release':
      return {...base, type: 'task_released', reason};
    default:
      return verb satisfies never;
  }
}
