// Initiatives folded from the log. A work unit belongs to at most one: the latest one that its spec named or that it was added
// to.
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {Slice} from '../events/slice.ts';
import type {WuEvent} from '../work-units/wu-event.ts';
import type {WuSpec} from '../work-units/wu-spec.ts';
import type {InitiativeEvent, InitiativeWords} from './initiative-events.ts';

export interface Initiative extends InitiativeWords {
  readonly id: string;
  readonly created_at: string;
}

export interface Membership {
  readonly initiative: string;
  readonly phase?: number;
  /** Its key in the plan that it was created from. */
  readonly key?: string;
}

export interface Initiatives {
  readonly initiatives: Record<string, Initiative>;
  /** By work unit. */
  readonly memberships: Record<string, Membership>;
  /** The initiatives that the specs of work units name. */
  readonly named: Record<string, Membership>;
}

/** Prefix of the label that contains a work unit's key in its plan. */
export const planLabelPrefix = 'plan:';

export const initiativeSlice: Slice<Initiatives, InitiativeEvent | WuEvent> = {
  name: 'initiatives',
  version: 1,
  initial: {initiatives: {}, memberships: {}, named: {}},
  evolve(state, event) {
    if (isOf(event, 'initiative_')) evolveInitiatives(state, event as InitiativeEvent);
    else if (isOf(event, 'wu_')) evolveNamed(state, event as WuEvent);
    return state;
  },
};

function isOf({type}: DeliveryEvent, prefix: string): boolean {
  return type.startsWith(prefix);
}

function evolveInitiatives(state: Initiatives, event: InitiativeEvent): void {
  const {initiative: id} = event;
  const {initiatives, memberships} = state;
  switch (event.type) {
    case 'initiative_created': {
      const {type: _, by: __, initiative: ___, at: created_at, ...words} = event;
      initiatives[id] = {id, created_at, ...words};
      return;
    }
    case 'initiative_edited':
      if (initiatives[id] !== undefined) initiatives[id] = {...initiatives[id], ...event.changes};
      return;
    case 'initiative_wu_added':
      memberships[event.wu] = {initiative: id, ...(event.phase !== undefined && {phase: event.phase})};
      return;
    case 'initiative_wu_removed':
      delete memberships[event.wu];
      return;
    default:
      event satisfies never;
  }
}

function evolveNamed({memberships, named}: Initiatives, event: WuEvent): void {
  const {id: wu} = event;
  if (event.type === 'wu_deleted') {
    delete memberships[wu];
    delete named[wu];
  } else if (event.type === 'wu_created' || event.type === 'wu_edited') {
    rename(memberships, wu, {before: named[wu], now: namedBy(event.spec)});
    rename(named, wu, {before: named[wu], now: namedBy(event.spec)});
  }
}

/** An edit that does not change the initiative preserves later assignments. */
function rename(
  memberships: Record<string, Membership>,
  wu: string,
  {before, now}: {readonly before: Membership | undefined; readonly now: Membership | undefined},
): void {
  if (before?.initiative === now?.initiative && before?.phase === now?.phase) return;
  if (now === undefined) delete memberships[wu];
  else memberships[wu] = now;
}

function namedBy({initiative, phase, labels = []}: WuSpec): Membership | undefined {
  if (initiative === undefined) return undefined;
  const key = labels.find((label) => label.startsWith(planLabelPrefix))?.slice(planLabelPrefix.length);
  return {initiative, ...(phase !== undefined && {phase}), ...(key !== undefined && {key})};
}

/** The work units of an initiative, with their membership. */
export function membersOf({memberships}: Initiatives, id: string): readonly (readonly [string, Membership])[] {
  return Object.entries(memberships).filter(([, {initiative}]) => initiative === id);
}
