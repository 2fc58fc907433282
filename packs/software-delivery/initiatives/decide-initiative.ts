// Creates and edits initiatives.
import {ToolError} from '@lumenflow/pack-sdk';
import type {EventStamp} from '../events/delivery-event.ts';
import {findInitiative, nextInitiativeId} from './find-initiative.ts';
import type {InitiativeEvent, InitiativeWords} from './initiative-events.ts';
import {membersOf, type Initiative, type Initiatives} from './initiative-slice.ts';

export interface DecidedInitiative<Result> {
  readonly events: readonly InitiativeEvent[];
  readonly result: Result;
}

export function createInitiative(
  state: Initiatives,
  words: InitiativeWords,
  stamp: EventStamp,
): DecidedInitiative<Initiative> {
  const id = nextInitiativeId(state);
  return {
    events: [{type: 'initiative_created', ...stamp, initiative: id, ...words}],
    result: {id, created_at: stamp.at, ...words},
  };
}

export interface EditedInitiative {
  readonly initiative: Initiative;
  /** Names of the changed fields. */
  readonly changed: readonly string[];
}

/** Throws ToolError INITIATIVE_NOT_FOUND and PHASE_IN_USE. */
export function editInitiative(
  state: Initiatives,
  {id, changes}: {readonly id: string; readonly changes: Partial<InitiativeWords>},
  stamp: EventStamp,
): DecidedInitiative<EditedInitiative> {
  const before = findInitiative(state, id);
  checkPhasesStay(state, id, changes.phases);
  const different = Object.entries(changes).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof InitiativeWords]),
  );
  const changed = different.map(([key]) => key);
  const real = Object.fromEntries(different) as Partial<InitiativeWords>;
  const result = {initiative: {...before, ...real}, changed};
  if (changed.length === 0) return {events: [], result};
  return {events: [{type: 'initiative_edited', ...stamp, initiative: id, changes: real}], result};
}

function checkPhasesStay(state: Initiatives, id: string, phases: readonly string[] | undefined): void {
  if (phases === undefined) return;
  const wus = membersOf(state, id)
    .filter(([, {phase = 0}]) => phase > phases.length)
    .map(([wu]) => wu);
  if (wus.length === 0) return;
  const message = `${phases.length} phases leave no phase for \`${wus.join('`, `')}\`: move them to another phase first`;
  throw new ToolError('PHASE_IN_USE', message, {initiative: id, wus});
}
