// The figures as a flat list, for dashboards and for comparing them with earlier ones.
import type {Figures} from './read-figures.ts';

export interface Metric {
  readonly name: string;
  /** Null if there was nothing to measure. */
  readonly value: number | null;
  readonly unit: 'count' | 'per day' | 'per week' | 'hours' | 'ms' | 'ratio';
}

export interface ComparedMetric extends Metric {
  /** The value in the snapshot that it is compared with. */
  readonly previous: number | null;
  readonly change: number | null;
}

export function metricsOf(figures: Figures): readonly Metric[] {
  const {throughput, lead_time_hours: lead, cycle_time_hours: cycle, wip, blocked_time: blocked, gates, dora} = figures;
  const metric = (name: string, value: number | null, unit: Metric['unit']): Metric => ({name, value, unit});
  return [
    metric('created', throughput.created, 'count'),
    metric('done', throughput.done, 'count'),
    metric('done_per_week', throughput.done_per_week, 'per week'),
    metric('lead_time_p50', lead.p50, 'hours'),
    metric('lead_time_p85', lead.p85, 'hours'),
    metric('lead_time_p95', lead.p95, 'hours'),
    metric('cycle_time_p50', cycle.p50, 'hours'),
    metric('cycle_time_p85', cycle.p85, 'hours'),
    metric('cycle_time_p95', cycle.p95, 'hours'),
    metric('in_progress', wip.in_progress, 'count'),
    metric('blocked', wip.blocked, 'count'),
    metric('wip_age_p85', wip.age_hours.p85, 'hours'),
    metric('blocked_time', blocked.hours, 'hours'),
    metric('flow_efficiency', figures.flow_efficiency, 'ratio'),
    metric('gate_runs', gates.runs, 'count'),
    metric('gate_pass_rate', gates.pass_rate, 'ratio'),
    metric('gate_duration_p85', gates.duration_ms.p85, 'ms'),
    metric('rework_rate', figures.rework.rate, 'ratio'),
    ...Object.entries(dora).map(([name, {value, unit}]) => metric(`dora_${name}`, value, unit)),
  ];
}

export function compareMetrics(now: readonly Metric[], before: readonly Metric[]): readonly ComparedMetric[] {
  const values = new Map(before.map(({name, value}) => [name, value]));
  return now.map((metric) => {
    const previous = values.get(metric.name) ?? null;
    const change = metric.value === null || previous === null ? null : metric.value - previous;
    return {...metric, previous, change: change === null ? null : Math.round(change * 10_000) / 10_000};
  });
}
