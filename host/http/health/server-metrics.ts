// Everything that /metrics and OTLP report about a server and its workspace.
import {setTimeout as sleep} from 'node:timers/promises';
import type {MetricFamily} from '../../metrics/metric-family.ts';
import {single} from '../../metrics/metric-family.ts';
import {processMetrics} from '../../metrics/process-metrics.ts';
import type {CallLedger} from '../call-ledger/call-ledger.ts';
import {workspaceMetrics} from '../call-ledger/workspace-metrics.ts';
import type {HttpHost} from '../route.ts';
import type {Readiness} from './readiness.ts';
import type {RequestCounter} from './request-counter.ts';

export interface ServerMetricsOptions {
  readonly host: HttpHost;
  readonly version: string;
  readonly ledger: CallLedger;
  readonly readiness: Readiness;
  readonly requests: RequestCounter;
  /** Further metrics of the program that runs the server. */
  readonly more: () => readonly MetricFamily[];
  /** For how long one collection reads a long log; default 5,000. */
  readonly readMs?: number | undefined;
  onError(error: unknown): void;
}

export type CollectMetrics = () => Promise<readonly MetricFamily[]>;

export interface ServerMetrics {
  readonly metrics: CollectMetrics;
  /** Keeps the counters of calls for the next start. */
  close(): Promise<void>;
}

/** A scraper gives up after ten seconds. */
const readMsDefault = 5_000;
/** How often counters are kept, in case the host is killed. */
const keepEveryMs = 60_000;

export function createServerMetrics(options: ServerMetricsOptions): ServerMetrics {
  const {host, version, ledger, readiness, requests, more, readMs = readMsDefault, onError} = options;
  let keptAt = -Infinity;
  /** A cache: metrics are complete without it. */
  async function keep(): Promise<void> {
    keptAt = performance.now();
    await ledger.keep().catch(onError);
  }
  return {
    async metrics() {
      await readFor(ledger, readMs);
      if (performance.now() - keptAt > keepEveryMs) await keep();
      const reasons = await readiness.reasons();
      return [
        ...workspaceMetrics(host, ledger),
        requests.family(),
        single(
          'gauge',
          'lumenflow_ready',
          '1 if /readyz reports that the server is ready',
          Number(reasons.length === 0),
        ),
        single(
          'gauge',
          'lumenflow_log_writable',
          '1 if records can be written',
          Number(!reasons.includes('LOG_UNAVAILABLE')),
        ),
        ...more(),
        ...processMetrics(version),
      ];
    },
    async close() {
      ledger.close();
      if (keptAt > -Infinity) await keep();
    },
  };
}

/** Reads the log for so long. Reading continues afterwards, and later collections wait for it again. */
async function readFor(ledger: CallLedger, ms: number): Promise<void> {
  const over = new AbortController();
  const reading = ledger.readBack();
  // A failure after the time is over is the next collection's.
  reading.catch(() => undefined);
  try {
    await Promise.race([reading, sleep(ms, undefined, {signal: over.signal}).catch(() => undefined)]);
  } finally {
    over.abort();
  }
}
