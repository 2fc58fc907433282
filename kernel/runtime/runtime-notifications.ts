// Notifications about requests for approval, as the program that sends them sees them.
import type {Kernel} from '../context/kernel.ts';
import {notificationStatuses, type NotificationStatus} from '../notifications/notification-statuses.ts';
import {
  claimNotifications,
  endNotification,
  type DueNotification,
  type NotificationOutcome,
} from '../transitions/notify-receivers.ts';
import type {Lifecycle} from './lifecycle.ts';

export interface RuntimeNotifications {
  /** Begins what is due now, for this process alone. Each one must be ended. `except`: ids of receivers that must wait. */
  claim(except?: ReadonlySet<string>): Promise<readonly DueNotification[]>;
  end(outcome: NotificationOutcome): Promise<void>;
  /** One for each receiver of workspace.yaml that was notified about the request, or will be. */
  statusesOf(request_id: string): readonly NotificationStatus[];
}

/** `fresh`: the state, after a refresh was started. */
export function notificationsOf(
  live: {readonly current: Kernel},
  {run}: Lifecycle,
  fresh: () => Kernel['state'],
): RuntimeNotifications {
  return {
    claim: (except) => run((kernel) => claimNotifications(kernel, except)),
    end: (outcome) => run((kernel) => endNotification(kernel, outcome)),
    statusesOf(request_id) {
      const {workspace, ports} = live.current;
      const receivers = workspace.spec.approvals?.notify ?? [];
      return notificationStatuses(fresh(), receivers, {request_id, now: ports.clock.timestamp()});
    },
  };
}
