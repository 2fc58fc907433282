// Notifications about requests for approval, as the program that sends them sees them.
import type {NotificationStatus} from '../notifications/notification-statuses.ts';
import type {DueNotification, NotificationOutcome} from '../transitions/notify-receivers.ts';

export interface RuntimeNotifications {
  /** Begins what is due now, for this process alone. Each one must be ended. `except`: ids of receivers that must wait. */
  claim(except?: ReadonlySet<string>): Promise<readonly DueNotification[]>;
  end(outcome: NotificationOutcome): Promise<void>;
  /** One for each receiver of workspace.yaml that was notified about the request, or will be. */
  statusesOf(request_id: string): readonly NotificationStatus[];
}
