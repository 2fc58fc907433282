// Sends notifications about requests for approval while a server runs. Attempts and their outcomes are events of the state: several hosts send
// each notification once, and a restart forgets none.
import type {DueNotification, KernelRuntime, NotificationOutcome} from '@lumenflow/kernel';
import {openLinks} from '../approvals/links/index.ts';
import {NotificationError} from './notification-error.ts';
import {openReceivers, ReceiverError} from './notification-receivers.ts';
import type {PostResult} from './post-message.ts';
import {sendNotification} from './send-notification.ts';

export interface NotifierOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How often to look for what is due; default 2,000 ms. */
  readonly intervalMs?: number;
  /** Receives failures, once for each series of equal ones. Never contains an address or a secret. */
  onError(error: unknown): void;
}

export interface Notifier {
  /** Waits for attempts in progress, which are cancelled after some seconds. */
  close(): Promise<void>;
}

const attemptsMax = 12;
const firstRetryMs = 10_000;
const retryMostMs = 3_600_000;
const closeTimeoutMs = 5_000;

type NotifyingRuntime = Pick<KernelRuntime, 'notifications' | 'workspace'>;

/** Throws ReceiverError if a receiver of workspace.yaml cannot be used, and LinkKeyError if the key of links cannot. */
export function startNotifier(runtime: NotifyingRuntime, options: NotifierOptions): Notifier {
  const {env, intervalMs = 2_000, onError} = options;
  const {spec} = runtime.workspace;
  const receivers = openReceivers(spec, env);
  const url = spec.approvals?.url ?? spec.sign_in?.url;
  const links = openLinks({spec, env, now: Date.now});
  if (!links.ok && spec.approvals?.notify?.some(({link_to}) => link_to !== undefined) === true)
    throw new ReceiverError(`a receiver has \`link_to\`, but ${links.problem}`);
  const terms = {url, ...(links.ok && {link: links.value.make})};
  const closing = new AbortController();
  let working: Promise<void> | undefined;

  async function notify(due: DueNotification): Promise<void> {
    const receiver = receivers.get(due.receiver.id);
    const result = receiver
      ? await sendNotification(due, receiver, {...terms, signal: closing.signal})
      : unknownReceiver;
    await runtime.notifications.end(outcomeOf(due, result));
    if (result.state === 'failed') onError(failureOf(due, result));
  }

  /** By the id of their receiver: one that answers slowly delays no other. */
  const sending = new Map<string, Promise<void>>();

  async function pass(): Promise<void> {
    const claimed = await runtime.notifications.claim(new Set(sending.keys()));
    for (const id of new Set(claimed.map(({receiver}) => receiver.id))) {
      const dues = claimed.filter(({receiver}) => receiver.id === id);
      const all = Promise.all(dues.map((due) => notify(due).catch(onError)));
      sending.set(
        id,
        all.then(() => void sending.delete(id)),
      );
    }
  }

  const timer = setInterval(() => {
    working ??= pass()
      .catch(onError)
      .finally(() => {
        working = undefined;
      });
  }, intervalMs);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      const late = setTimeout(() => closing.abort(), closeTimeoutMs);
      await working;
      await Promise.all(sending.values());
      clearTimeout(late);
    },
  };
}

/** A workspace.yaml that was reloaded can name a receiver that this process has not opened. */
const unknownReceiver: PostResult = {state: 'failed', detail: 'the host has not opened this receiver', isFinal: false};

function outcomeOf(due: DueNotification, result: PostResult): NotificationOutcome {
  const {approval, receiver, occasion, attempt} = due;
  const facts = {request_id: approval.request_id, receiver: receiver.id, occasion, attempt, detail: result.detail};
  if (result.state === 'delivered') return {...facts, outcome: 'delivered'};
  if (result.isFinal || attempt >= attemptsMax) return {...facts, outcome: 'given_up'};
  const retry_after_ms = result.retryAfterMs ?? Math.min(retryMostMs, firstRetryMs * 2 ** (attempt - 1));
  return {...facts, outcome: 'failed', retry_after_ms};
}

function failureOf({receiver, attempt}: DueNotification, result: PostResult): NotificationError {
  const isOver = result.state === 'failed' && (result.isFinal || attempt >= attemptsMax);
  return new NotificationError(receiver.id, result.detail, isOver);
}
