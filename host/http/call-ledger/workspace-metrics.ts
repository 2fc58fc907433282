// Metrics of a workspace and of this host's parts. Call counters come from the evidence log: they survive restarts, and all hosts of
// a workspace report the same ones.
import type {Distribution, MetricFamily, Sample} from '../../metrics/metric-family.ts';
import {single} from '../../metrics/metric-family.ts';
import type {PoolCounters} from '../../pool/index.ts';
import type {HttpHost} from '../route.ts';
import type {CallLedger} from './call-ledger.ts';
import {latencyBoundsMs} from './latency-histogram.ts';

export function workspaceMetrics(
  {runtime, sandbox, poolCounters}: HttpHost,
  ledger: CallLedger,
): readonly MetricFamily[] {
  const pending = runtime.listApprovals({state: 'pending'}).length;
  return [
    single('gauge', 'lumenflow_calls_counted', '1 if all calls of the log were counted', Number(ledger.isWhole())),
    ...(ledger.isWhole() ? callMetrics(ledger) : []),
    single('gauge', 'lumenflow_approvals_pending', 'Approval requests that are pending', pending),
    {type: 'gauge', name: 'lumenflow_tasks', help: 'Tasks by lane and state', samples: tasksOf(runtime)},
    single('gauge', 'lumenflow_evidence_records', 'Records in the evidence log', ledger.lastSeq()),
    ...poolMetrics(poolCounters?.()),
    ...warmPoolMetrics(sandbox),
  ];
}

/** Absent until the whole log was read: a counter that is too small would jump. */
function callMetrics(ledger: CallLedger): readonly MetricFamily[] {
  return [
    {
      type: 'counter',
      name: 'lumenflow_calls_total',
      help: 'Calls that ended',
      samples: ledger.tally.counts().map(({count, ...labels}) => ({labels, value: count})),
    },
    {
      type: 'histogram',
      name: 'lumenflow_call_duration_seconds',
      help: 'Duration of allowed calls',
      distributions: latenciesOf(ledger),
    },
    single('gauge', 'lumenflow_calls_open', 'Calls that were started and have not ended', ledger.openCalls()),
  ];
}

function tasksOf(runtime: HttpHost['runtime']): readonly Sample[] {
  const tasks = new Map<string, number>();
  for (const {lane_id, state} of runtime.listTasks()) {
    const key = `${state}\n${lane_id}`;
    tasks.set(key, (tasks.get(key) ?? 0) + 1);
  }
  return [...tasks].map(([key, value]) => {
    const [state = '', lane = ''] = key.split('\n');
    return {labels: {lane, state}, value};
  });
}

function latenciesOf({tally}: CallLedger): readonly Distribution[] {
  return [...tally.latencies()].map(([tool, {counts, sumMs, count}]) => {
    let below = 0;
    const buckets = latencyBoundsMs.map((bound, index) => {
      below += counts[index] ?? 0;
      return {bound: bound / 1_000, count: below};
    });
    return {labels: {tool}, buckets, sum: sumMs / 1_000, count};
  });
}

function poolMetrics(counters: PoolCounters | undefined): readonly MetricFamily[] {
  if (!counters) return [];
  const {waiting, running, completed, crashed, timedOut, cancelled, refused, durations} = counters;
  const ended = {completed, crashed, timed_out: timedOut, cancelled, refused};
  const buckets = durations.buckets.map(({atMostMs, count}) => ({bound: atMostMs / 1_000, count}));
  return [
    single('gauge', 'lumenflow_pool_waiting', 'Calls that are queued for a thread', waiting),
    single('gauge', 'lumenflow_pool_running', 'Calls that run on a thread', running),
    {
      type: 'counter',
      name: 'lumenflow_pool_calls_total',
      help: 'Calls dispatched to threads, by outcome',
      samples: Object.entries(ended).map(([outcome, value]) => ({labels: {ended: outcome}, value})),
    },
    {
      type: 'histogram',
      name: 'lumenflow_pool_call_duration_seconds',
      help: 'Duration of calls on threads, including the wait',
      distributions: [{labels: {}, buckets, sum: durations.sumMs / 1_000, count: durations.count}],
    },
  ];
}

function warmPoolMetrics(sandbox: HttpHost['sandbox']): readonly MetricFamily[] {
  const counters = sandbox?.warmPool();
  if (!counters) return [];
  const {spares, starting, spareMemoryBytes, hits, misses, refills, discarded} = counters;
  return [
    single('gauge', 'lumenflow_warm_pool_spares', 'Sandboxes that are ready for a call', spares),
    single('gauge', 'lumenflow_warm_pool_starting', 'Spare sandboxes that are starting', starting),
    single('gauge', 'lumenflow_warm_pool_memory_bytes', 'Memory of ready sandboxes', spareMemoryBytes),
    {
      type: 'counter',
      name: 'lumenflow_warm_pool_calls_total',
      help: 'Calls that a ready sandbox could serve',
      samples: [
        {labels: {served: 'yes'}, value: hits},
        {labels: {served: 'no'}, value: misses},
      ],
    },
    single('counter', 'lumenflow_warm_pool_refills_total', 'Spare sandboxes that were started', refills),
    single('counter', 'lumenflow_warm_pool_discarded_total', 'Ready sandboxes that ended unused', discarded),
  ];
}
