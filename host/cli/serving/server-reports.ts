// What a server reports on stderr while it runs: text for a person, or a log in JSON Lines.
import {stripVTControlCharacters} from 'node:util';
import type {ObservedCall} from '../../telemetry/calls/observe-calls.ts';
import type {DeliveryChange} from '../../telemetry/delivery/delivery-queue.ts';
import {createServerLog} from '../../telemetry/server-log.ts';
import type {CliContext} from '../command.ts';
import {failureFromError} from '../failures/failure-from-error.ts';
import {reportChanges} from '../failures/report-changes.ts';
import {renderFailure} from '../rendering/render-failure.ts';

export interface ServerReports {
  /** A text for people. */
  notice(text: string): void;
  readonly onError: (error: unknown) => void;
  /** Only in the log. */
  event(message: string, fields?: Readonly<Record<string, unknown>>): void;
  readonly call: (call: ObservedCall) => void;
  readonly delivery: (receiver: string, change: DeliveryChange) => void;
}

export function openServerReports(context: CliContext, format: 'text' | 'json'): ServerReports {
  return format === 'json' ? openJsonReports(context) : openTextReports(context);
}

function openTextReports(context: CliContext): ServerReports {
  const report = reportChanges((text) => context.notify(text));
  return {
    notice: (text) => context.notify(text),
    onError: (error) => report(renderFailure(failureFromError(error).failure, {}, context.errorStyle)),
    event: () => undefined,
    call: () => undefined,
    delivery: (receiver, change) => context.notify(deliveryText(receiver, change)),
  };
}

function openJsonReports(context: CliContext): ServerReports {
  const log = createServerLog((line) => context.log(line), Date.now);
  return {
    notice: (text) => log.write('warn', stripVTControlCharacters(text)),
    onError(error) {
      const {code, message} = failureFromError(error).failure;
      log.write('error', message, {code});
    },
    event: (message, fields) => log.write('info', message, fields),
    call: (call) => log.call(call),
    delivery(receiver, change) {
      const level = change.state === 'working' ? 'info' : 'warn';
      log.write(level, deliveryText(receiver, change), {receiver, state: change.state});
    },
  };
}

function deliveryText(receiver: string, change: DeliveryChange): string {
  if (change.state === 'failing')
    return `${receiver} does not accept data: ${reasonOf(change.error)}; LumenFlow queues it and retries`;
  if (change.state === 'dropping')
    return `data for ${receiver} is dropped: its queue is full, it rejects the data, or the host stops`;
  if (change.state === 'partial') {
    const {rejected, remark} = change;
    const what = rejected === 0 ? 'accepts data with a warning' : `rejected ${rejected} items, which are dropped`;
    return remark === '' ? `${receiver} ${what}` : `${receiver} ${what}: ${remark}`;
  }
  return `${receiver} accepts data again; ${change.dropped} items were dropped so far`;
}

/** The cause of \`fetch failed\`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const {cause} = error;
  if (!(cause instanceof Error)) return error.message;
  // Node's error for several addresses that refuse a connection has a code and no message.
  return cause.message || ('code' in cause && typeof cause.code === 'string' ? cause.code : cause.name);
}
