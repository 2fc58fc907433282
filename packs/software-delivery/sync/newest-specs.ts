import type {WuCreated, WuEdited} from '../work-units/wu-event.ts';
import type {SharedEvent} from './shared-event.ts';

export type WithSpec = SharedEvent & (WuCreated | WuEdited);

/** The last event of each work unit that has a spec. */
export function newestSpecs(events: readonly SharedEvent[]): ReadonlyMap<string, WithSpec> {
  return new Map(events.filter(hasSpec).map((event) => [event.id, event]));
}

function hasSpec(event: SharedEvent): event is WithSpec {
  return event.type === 'wu_created' || event.type === 'wu_edited';
}
