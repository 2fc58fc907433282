// Everything that /metrics and OTLP report about a server and its workspace.
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
}

export type CollectMetrics = () => Promise<readonly MetricFamily[]>;

export function createServerMetrics(options: ServerMetricsOptions): CollectMetrics {
  const {host, version, ledger, readiness, requests, more} = options;
  return async () => {
    await ledger.readBack();
    const reasons = await readiness.reasons();
    return [
      ...workspaceMetrics(host, ledger),
      requests.family(),
      single('gauge', 'lumenflow_ready', '1 if /readyz reports that the server is ready', Number(reasons.length === 0)),
      single(
        'gauge',
        'lumenflow_log_writable',
        '1 if records can be written',
        Number(!reasons.includes('LOG_UNAVAILABLE')),
      ),
      ...more(),
      ...processMetrics(version),
    ];
  };
}
