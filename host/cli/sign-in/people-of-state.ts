// The people of a workspace that no host is started on.
import {foldPeople, type FoldedPeople} from '@lumenflow/kernel/adapters';
import type {CliContext} from '../command.ts';
import {openStateOf} from '../state/open-state-of.ts';
import type {StateOfWorkspace} from '../state/state-of.ts';

export async function peopleOfState(context: CliContext, found: StateOfWorkspace): Promise<FoldedPeople> {
  const state = await openStateOf(context, found);
  try {
    await state.events.refresh();
    return foldPeople(await state.events.read({}));
  } finally {
    await state.close();
  }
}
