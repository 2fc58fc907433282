// The delivery log with every slice of the pack: what a tool opens.
import {createDeliveryLog, type DeliveryLog, type LogContext} from './events/delivery-log.ts';
import {workUnits} from './work-units/work-units.ts';

/** Domain code takes the log that this gives as an argument. */
export function openDeliveryLog(context: LogContext): DeliveryLog {
  return createDeliveryLog(context, {slices: [workUnits]});
}
