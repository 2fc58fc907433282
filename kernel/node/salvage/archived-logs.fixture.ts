// Logs of which a part is archived, for the tests of salvages.
import type {TaskSpec} from '@lumenflow/schemas';
import {later, recordCall, type ArchivedHome} from '../archiving/archived-state.fixture.ts';
import type {LogName} from '../log/log-name.ts';
import type {SignedState} from '../state/signed-state.fixture.ts';

export function openSmall(home: ArchivedHome): Promise<SignedState> {
  return home.open({rotateBytes: 600, durability: 'process'});
}

/** Tasks `a`, `b` and `c` are archived, and `d` is not. Returns how many lines of each log are archived. */
export async function fillArchived(home: ArchivedHome): Promise<Record<LogName, number>> {
  const first = await openSmall(home);
  for (const id of ['a', 'b', 'c']) await recordTask(first, id);
  await first.events.snapshots?.keep('{}', later.at);
  await first.close();
  const state = await openSmall(home);
  await state.signed.checkpoint();
  const moved = (await state.archive?.(later))?.segments ?? [];
  const lastOf = (log: LogName): number => moved.findLast((each) => each.log === log)?.last_seq ?? 0;
  await recordTask(state, 'd');
  await state.close();
  return {events: lastOf('events'), traces: lastOf('traces')};
}

export async function recordTask(state: SignedState, id: string): Promise<void> {
  await recordCall(state, `call-${id}`);
  const spec = {id, lane_id: 'core', title: id, scopes: []} as unknown as TaskSpec;
  const created = await state.tasks.create(spec);
  const spec_hash = created === 'exists' ? '' : created.spec_hash;
  const fact = {type: 'task_created' as const, task_id: id, lane_id: 'core', spec_hash};
  await state.events.transact(() => ({events: [{...fact, timestamp: later.at, actor: 'ann'}], result: 1}));
}
