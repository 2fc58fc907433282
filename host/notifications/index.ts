// Notifications about requests for approval, by signed HTTP messages and by e-mail.
export {ReceiverError} from './notification-receivers.ts';
export {startNotifier, type Notifier, type NotifierOptions} from './start-notifier.ts';
