// The delivery log with every slice of the pack: what a tool opens.
import {createDeliveryLog, type DeliveryLog, type LogContext} from './events/delivery-log.ts';

export function openDeliveryLog(context: LogContext): DeliveryLog {
  return createDeliveryLog(context, {slices: []});
}
