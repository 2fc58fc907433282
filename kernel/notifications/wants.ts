// Whether a receiver is notified of an occasion at all.
import type {NotificationReceiver} from '@lumenflow/schemas';
import type {Occasion} from './notification-record.ts';

export function wants(
  {also = ['reminder', 'closed']}: Pick<NotificationReceiver, 'also'>,
  occasion: Occasion,
): boolean {
  return occasion === 'requested' || also.some((kind) => occasion === kind || occasion.startsWith(`${kind}-`));
}
