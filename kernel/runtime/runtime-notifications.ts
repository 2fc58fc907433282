// Notifications about requests for approval, as the program that sends them sees them.
import type {DueNotification, NotificationOutcome} from '../transitions/notify-receivers.ts';

export interface RuntimeNotifications {
  /** Begins what is due now, for this process alone. Each one must be ended. */
  claim(): Promise<readonly DueNotification[]>;
  end(outcome: NotificationOutcome): Promise<void>;
}
