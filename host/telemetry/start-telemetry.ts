// Everything that a server reports while it runs: traces, metrics and logs by OTLP, events by syslog, its own log.
import type {RecordObserver} from '@lumenflow/kernel/node';
import {context, trace, type TracerProvider} from '@opentelemetry/api';
import {hostname} from 'node:os';
import type {MetricFamily} from '../metrics/metric-family.ts';
import {callEvent} from './calls/call-event.ts';
import {callLogRecord} from './calls/call-log-record.ts';
import {observeCalls, type ObservedCall} from './calls/observe-calls.ts';
import {deliveryMetrics, type DeliveriesByReceiver} from './delivery/delivery-metrics.ts';
import {createDeliveryQueue, type Deliver, type DeliveryChange, type DeliveryQueue} from './delivery/delivery-queue.ts';
import {createAsyncContexts} from './otlp/async-contexts.ts';
import {encodeMetric} from './otlp/encode-metric.ts';
import type {OtlpSettings, Signal} from './otlp/otlp-settings.ts';
import {createOtlpSender} from './otlp/otlp-sender.ts';
import {createSpanProvider} from './otlp/span-provider.ts';
import {openSyslog} from './syslog/open-syslog.ts';
import type {SyslogAddress} from './syslog/syslog-address.ts';
import {syslogMessage} from './syslog/syslog-message.ts';

export interface TelemetryOptions {
  readonly otlp: OtlpSettings | undefined;
  readonly syslog: readonly SyslogAddress[];
  /** For the log of the server. */
  onCall?(call: ObservedCall): void;
  /** `receiver` is such as `otlp-traces`, `syslog tls://log.example:6514`. */
  onDelivery(receiver: string, change: DeliveryChange): void;
}

export interface Telemetry {
  readonly tracerProvider: TracerProvider;
  readonly onRecorded: RecordObserver;
  metrics(): readonly MetricFamily[];
  /** Sends metrics by OTLP from now on, if they are wanted. The returned function sends the last values, and stops. */
  sendMetrics(collect: () => Promise<readonly MetricFamily[]>): () => Promise<void>;
  /** Delivers what is queued, for at most so long. */
  close(timeoutMs: number): Promise<void>;
}

export function startTelemetry(options: TelemetryOptions): Telemetry {
  const receivers = createReceivers(options);
  const [traces, logs, metrics] = (['traces', 'logs', 'metrics'] as const).map((signal) =>
    openOtlp(signal, options, receivers),
  );
  const syslogs = options.syslog.map((address) => openSyslogQueue(address, receivers));
  const spans = traces && registerSpans(traces);
  const source = {host: hostname(), processId: process.pid};
  return {
    tracerProvider: spans?.provider ?? trace.getTracerProvider(),
    onRecorded: observeCalls((call) => {
      options.onCall?.(call);
      if (logs === undefined && syslogs.length === 0) return;
      const event = callEvent(call);
      logs?.add(callLogRecord(call, event));
      for (const syslog of syslogs) syslog.add(syslogMessage(event, source));
    }),
    metrics: () => deliveryMetrics(receivers.counters()),
    sendMetrics(collect) {
      if (!metrics || !options.otlp) return () => Promise.resolve();
      return repeatMetrics(metrics, collect, options.otlp.metricIntervalMs);
    },
    async close(timeoutMs) {
      spans?.unregister();
      await receivers.close(timeoutMs);
    },
  };
}

interface RegisteredSpans {
  readonly provider: TracerProvider;
  unregister(): void;
}

/** Undefined if Node was started with an SDK: then spans are the SDK's. */
function registerSpans(traces: DeliveryQueue<object>): RegisteredSpans | undefined {
  const provider = createSpanProvider((span) => traces.add(span));
  if (!trace.setGlobalTracerProvider(provider)) return undefined;
  context.setGlobalContextManager(createAsyncContexts());
  return {
    provider,
    unregister() {
      trace.disable();
      context.disable();
    },
  };
}

interface Receiver {
  readonly queue: Pick<DeliveryQueue<never>, 'counters' | 'close'>;
  readonly end: (() => void) | undefined;
}

interface Receivers {
  open<Item>(name: string, deliver: Deliver<Item>, end?: () => void): DeliveryQueue<Item>;
  counters(): DeliveriesByReceiver;
  close(timeoutMs: number): Promise<void>;
}

function createReceivers({onDelivery}: TelemetryOptions): Receivers {
  const queues = new Map<string, Receiver>();
  return {
    open(name, deliver, end) {
      const queue = createDeliveryQueue({deliver, onChange: (change) => onDelivery(name, change)});
      queues.set(name, {queue, end});
      return queue;
    },
    counters: () => Object.fromEntries([...queues].map(([name, {queue}]) => [name, queue.counters])),
    async close(timeoutMs) {
      await Promise.all(
        [...queues.values()].map(async ({queue, end}) => {
          await queue.close(timeoutMs);
          end?.();
        }),
      );
    },
  };
}

function openOtlp(signal: Signal, {otlp}: TelemetryOptions, receivers: Receivers): DeliveryQueue<object> | undefined {
  const url = otlp?.urls[signal];
  if (otlp === undefined || url === undefined) return undefined;
  return receivers.open(`otlp-${signal}`, createOtlpSender(signal, url, otlp));
}

function openSyslogQueue(address: SyslogAddress, receivers: Receivers): DeliveryQueue<Buffer> {
  const {transport, host, port} = address;
  const {deliver, close} = openSyslog(address);
  return receivers.open(`syslog ${transport}://${host}:${port}`, deliver, close);
}

/** Returns the function that sends the last values and stops. */
function repeatMetrics(
  metrics: DeliveryQueue<object>,
  collect: () => Promise<readonly MetricFamily[]>,
  intervalMs: number,
): () => Promise<void> {
  const send = async (): Promise<void> => {
    // A state that cannot be read is reported by readiness and by every call. The next turn tries again.
    const families = await collect().catch(() => []);
    for (const family of families) metrics.add(encodeMetric(family, Date.now()));
  };
  const timer = setInterval(() => void send(), intervalMs).unref();
  return async () => {
    clearInterval(timer);
    await send();
  };
}
