// What a server knows of itself, for probes and metrics.
import type {MetricFamily} from '../../metrics/metric-family.ts';
import {createCallFeed, type CallFeed} from '../call-ledger/call-feed.ts';
import type {HttpHost} from '../route.ts';
import {createReadiness, type Readiness} from './readiness.ts';
import {createRequestCounter, type RequestCounter} from './request-counter.ts';
import {createServerMetrics, type CollectMetrics} from './server-metrics.ts';

export interface ServerHealth {
  readonly calls: CallFeed;
  readonly readiness: Readiness;
  readonly requests: RequestCounter;
  readonly metrics: CollectMetrics;
}

export function createServerHealth(host: HttpHost, version: string, more: () => readonly MetricFamily[]): ServerHealth {
  const calls = createCallFeed(host.runtime);
  const readiness = createReadiness(host.runtime, {monotonic: () => performance.now()});
  const requests = createRequestCounter();
  const {ledger} = calls;
  return {calls, readiness, requests, metrics: createServerMetrics({host, version, ledger, readiness, requests, more})};
}
