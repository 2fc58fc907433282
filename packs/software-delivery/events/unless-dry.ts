// A dry run decides like any other call, but appends nothing.
import type {DeliveryEvent} from './delivery-event.ts';
import type {Decision} from './delivery-log.ts';

export function unlessDry<Event extends DeliveryEvent, Result>(
  dryRun: boolean,
  decision: Decision<Event, Result>,
): Decision<Event, Result> {
  return dryRun ? {...decision, events: []} : decision;
}
