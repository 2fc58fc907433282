// What a server knows of itself, for probes and metrics.
import {join} from 'node:path';
import type {MetricFamily} from '../../metrics/metric-family.ts';
import {createCallFeed, type CallFeed} from '../call-ledger/call-feed.ts';
import {createKeptStore} from '../call-ledger/kept-counts.ts';
import type {HttpHost} from '../route.ts';
import {createReadiness, type Readiness} from './readiness.ts';
import {createRequestCounter, type RequestCounter} from './request-counter.ts';
import {createServerMetrics, type ServerMetrics} from './server-metrics.ts';

export interface ServerHealth extends ServerMetrics {
  readonly calls: CallFeed;
  readonly readiness: Readiness;
  readonly requests: RequestCounter;
}

export interface ServerHealthOptions {
  readonly version: string;
  readonly more: () => readonly MetricFamily[];
  /** For how long one collection of metrics reads a long log; default 5,000. */
  readonly readMs?: number | undefined;
  onError(error: unknown): void;
}

export function createServerHealth(host: HttpHost, options: ServerHealthOptions): ServerHealth {
  const {workspaceRoot: root} = host;
  const calls = createCallFeed(
    host.runtime,
    root === undefined ? undefined : createKeptStore(join(root, '.lumenflow/cache')),
  );
  const readiness = createReadiness(host.runtime, {monotonic: () => performance.now()});
  const requests = createRequestCounter();
  const metrics = createServerMetrics({...options, host, ledger: calls.ledger, readiness, requests});
  return {calls, readiness, requests, ...metrics};
}
