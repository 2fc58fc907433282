// Adds work units to initiatives and removes them.
import {ToolError} from '@lumenflow/pack-sdk';
import type {EventStamp} from '../events/delivery-event.ts';
import {checkPhase, findInitiative} from './find-initiative.ts';
import type {InitiativeEvent} from './initiative-events.ts';
import type {Initiatives} from './initiative-slice.ts';

export interface Assignment {
  readonly initiative: string;
  readonly wu: string;
  readonly phase?: number;
}

export interface Assigned {
  readonly events: readonly InitiativeEvent[];
  readonly result: {readonly changed: readonly string[]; readonly unchanged: readonly string[]};
}

export interface AssignWords {
  readonly stamp: EventStamp;
  /** Moves work units of other initiatives; otherwise they are rejected. */
  readonly move: boolean;
}

/** Throws ToolError INITIATIVE_NOT_FOUND, INITIATIVE_CLOSED, PHASE_NOT_FOUND, WU_ELSEWHERE and ASSIGNED_TWICE. */
export function assignWus(
  state: Initiatives,
  assignments: readonly Assignment[],
  {stamp, move}: AssignWords,
): Assigned {
  checkTwice(assignments.map(({wu}) => wu));
  const events = assignments.flatMap(({initiative: id, wu, phase}): readonly InitiativeEvent[] => {
    const initiative = findInitiative(state, id);
    if (initiative.status === 'done' || initiative.status === 'cancelled') {
      const message = `the initiative \`${id}\` is ${initiative.status}: it accepts no more work units`;
      throw new ToolError('INITIATIVE_CLOSED', message, {initiative: id, status: initiative.status});
    }
    checkPhase(initiative, phase);
    const now = state.memberships[wu];
    if (now?.initiative === id && now.phase === phase) return [];
    if (now !== undefined && now.initiative !== id && !move) throw elsewhere(wu, now.initiative);
    return [{type: 'initiative_wu_added', ...stamp, initiative: id, wu, ...(phase !== undefined && {phase})}];
  });
  const changed = events.flatMap((event) => ('wu' in event ? [event.wu] : []));
  const unchanged = assignments.map(({wu}) => wu).filter((wu) => !changed.includes(wu));
  return {events, result: {changed, unchanged}};
}

/** Throws ToolError INITIATIVE_NOT_FOUND and WU_NOT_IN_INITIATIVE. */
export function removeWu(
  state: Initiatives,
  {initiative, wu}: Omit<Assignment, 'phase'>,
  stamp: EventStamp,
): readonly InitiativeEvent[] {
  findInitiative(state, initiative);
  if (state.memberships[wu]?.initiative === initiative) {
    return [{type: 'initiative_wu_removed', ...stamp, initiative, wu}];
  }
  const message = `\`${wu}\` is not in the initiative \`${initiative}\``;
  throw new ToolError('WU_NOT_IN_INITIATIVE', message, {initiative, wu});
}

function checkTwice(wus: readonly string[]): void {
  const twice = wus.find((wu, index) => wus.indexOf(wu) !== index);
  if (twice === undefined) return;
  throw new ToolError('ASSIGNED_TWICE', `\`${twice}\` is assigned twice: a work unit belongs to one initiative`, {
    wu: twice,
  });
}

function elsewhere(wu: string, initiative: string): ToolError {
  const message = `\`${wu}\` is in the initiative \`${initiative}\`: remove it there, or move it with \`initiative:bulk-assign\``;
  return new ToolError('WU_ELSEWHERE', message, {wu, initiative});
}
