// Live calls and their counts.
import type {CallFeed} from '../call-ledger/call-feed.ts';
import {quantileBoundMs} from '../call-ledger/latency-histogram.ts';
import {streamCalls} from '../call-ledger/stream-calls.ts';
import type {CollectMetrics} from '../health/server-metrics.ts';
import {prometheusType, renderPrometheus} from '../../metrics/render-prometheus.ts';
import {createStreamSlots} from '../events/stream-slots.ts';
import {toStream} from '../events/to-stream.ts';
import {okReply, Verbatim} from '../reply.ts';
import type {Route} from '../route.ts';

/** Counters include everything. The charts by minute need only the last hours. */
const minutesBackMs = 3 * 60 * 60_000;

export function createCallRoutes({ledger, poll}: CallFeed, collect: CollectMetrics): readonly Route[] {
  const slots = createStreamSlots('calls');
  const live: Route = {
    method: 'GET',
    path: '/v1/calls/live',
    summary: 'Streams calls as server-sent events: one event when a call starts, another when it ends',
    role: 'operator',
    answers: {200: {contentType: 'text/event-stream', data: 'http_receipt'}},
    refuses: ['LIMIT_EXCEEDED'],
    handle({caller, signal, closing, isStillAllowed}) {
      const refusal = slots.refuse(caller.name);
      if (refusal) return refusal;
      const monotonic = (): number => performance.now();
      const chunks = streamCalls({ledger, poll, isStillAllowed, monotonic, signals: [signal, closing]});
      const headers = {'content-type': 'text/event-stream'};
      return {status: 200, headers, body: new Verbatim(toStream(slots.hold(caller.name, chunks)))};
    },
  };
  const minutes: Route = {
    method: 'GET',
    path: '/v1/calls/minutes',
    summary:
      'Returns calls, denials, failures and latency for the newest minutes with calls, at least the last three hours',
    role: 'operator',
    answers: {200: 'http_minutes'},
    async handle() {
      await ledger.readBack(new Date(Date.now() - minutesBackMs).toISOString());
      const counted = ledger.tally.minutes().map(({latencies, ...counts}) => {
        const [p50_ms, p95_ms] = [quantileBoundMs(latencies, 0.5), quantileBoundMs(latencies, 0.95)];
        return {...counts, ...(p50_ms !== undefined && {p50_ms}), ...(p95_ms !== undefined && {p95_ms})};
      });
      return okReply({minutes: counted, open: ledger.openCalls(), evidence_records: ledger.lastSeq()});
    },
  };
  const metrics: Route = {
    method: 'GET',
    path: '/metrics',
    summary: 'Returns counters, histograms and gauges in the text format of Prometheus',
    role: 'operator',
    alsoFor: 'monitor',
    answers: {200: {contentType: 'text/plain'}},
    async handle() {
      const headers = {'content-type': prometheusType};
      return {status: 200, headers, body: new Verbatim(renderPrometheus(await collect()))};
    },
  };
  return [live, minutes, metrics];
}
