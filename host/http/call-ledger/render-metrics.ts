// Renders metrics in Prometheus' text format. Call counters come from the evidence log, so they survive restarts.
import type {PoolCounters} from '../../pool/index.ts';
import type {HttpHost} from '../route.ts';
import type {CallLedger} from './call-ledger.ts';
import {latencyBoundsMs} from './latency-histogram.ts';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

export function renderMetrics({runtime, sandbox, poolCounters}: HttpHost, ledger: CallLedger): string {
  const counts = ledger.tally
    .counts()
    .map(({tool, decision, result, count}): Sample => [{tool, decision, result}, count]);
  const tasks = new Map<string, number>();
  for (const {lane_id, state} of runtime.listTasks()) {
    const key = `${state}\n${lane_id}`;
    tasks.set(key, (tasks.get(key) ?? 0) + 1);
  }
  return [
    metric('lumenflow_calls_total', 'counter', 'Calls that ended', counts),
    renderLatencies(ledger),
    metric('lumenflow_calls_open', 'gauge', 'Calls that were started and have not ended', [[{}, ledger.openCalls()]]),
    metric('lumenflow_approvals_pending', 'gauge', 'Approval requests that are pending', [
      [{}, runtime.listApprovals({state: 'pending'}).length],
    ]),
    metric(
      'lumenflow_tasks',
      'gauge',
      'Tasks by lane and state',
      [...tasks].map(([key, count]): Sample => {
        const [state = '', lane = ''] = key.split('\n');
        return [{lane, state}, count];
      }),
    ),
    metric('lumenflow_evidence_records', 'gauge', 'Records in the evidence log', [[{}, ledger.lastSeq()]]),
    renderPool(poolCounters?.()),
    renderWarmPool(sandbox),
  ].join('');
}

function renderLatencies(ledger: CallLedger): string {
  const name = 'lumenflow_call_duration_seconds';
  const lines = [...ledger.tally.latencies()].flatMap(([tool, {counts, sumMs, count}]) => {
    let below = 0;
    const buckets = counts.map((inBucket, index) => {
      below += inBucket;
      const bound = latencyBoundsMs[index];
      return sample(`${name}_bucket`, {tool, le: bound === undefined ? '+Inf' : String(bound / 1_000)}, below);
    });
    return [...buckets, sample(`${name}_sum`, {tool}, sumMs / 1_000), sample(`${name}_count`, {tool}, count)];
  });
  return `# HELP ${name} Duration of allowed calls\n# TYPE ${name} histogram\n${lines.join('')}`;
}

function renderPool(counters: PoolCounters | undefined): string {
  if (!counters) return '';
  const {waiting, running, completed, crashed, timedOut, cancelled, refused, durations} = counters;
  const name = 'lumenflow_pool';
  const duration = `${name}_call_duration_seconds`;
  const buckets = durations.buckets.map(({atMostMs, count}): Sample => [{le: String(atMostMs / 1_000)}, count]);
  return [
    metric(`${name}_waiting`, 'gauge', 'Calls that are queued for a thread', [[{}, waiting]]),
    metric(`${name}_running`, 'gauge', 'Calls that run on a thread', [[{}, running]]),
    metric(`${name}_calls_total`, 'counter', 'Calls dispatched to threads, by outcome', [
      [{ended: 'completed'}, completed],
      [{ended: 'crashed'}, crashed],
      [{ended: 'timed_out'}, timedOut],
      [{ended: 'cancelled'}, cancelled],
      [{ended: 'refused'}, refused],
    ]),
    `# HELP ${duration} Duration of calls on threads, including the wait\n# TYPE ${duration} histogram\n`,
    ...[...buckets, [{le: '+Inf'}, durations.count] as Sample].map(([labels, count]) =>
      sample(`${duration}_bucket`, labels, count),
    ),
    sample(`${duration}_sum`, {}, durations.sumMs / 1_000),
    sample(`${duration}_count`, {}, durations.count),
  ].join('');
}

function renderWarmPool(sandbox: HttpHost['sandbox']): string {
  const counters = sandbox?.warmPool();
  if (!counters) return '';
  const {spares, starting, spareMemoryBytes, hits, misses, refills, discarded} = counters;
  const name = 'lumenflow_warm_pool';
  return [
    metric(`${name}_spares`, 'gauge', 'Sandboxes that are ready for a call', [[{}, spares]]),
    metric(`${name}_starting`, 'gauge', 'Spare sandboxes that are starting', [[{}, starting]]),
    metric(`${name}_memory_bytes`, 'gauge', 'Memory of ready sandboxes', [[{}, spareMemoryBytes]]),
    metric(`${name}_calls_total`, 'counter', 'Calls that a ready sandbox could serve', [
      [{served: 'yes'}, hits],
      [{served: 'no'}, misses],
    ]),
    metric(`${name}_refills_total`, 'counter', 'Spare sandboxes that were started', [[{}, refills]]),
    metric(`${name}_discarded_total`, 'counter', 'Ready sandboxes that ended unused', [[{}, discarded]]),
  ].join('');
}

function metric(name: string, type: 'counter' | 'gauge', help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([labels, value]) => sample(name, labels, value));
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function sample(name: string, labels: Labels, value: number): string {
  const inside = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${inside.length > 0 ? `{${inside.join(',')}}` : ''} ${value}\n`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
