// Metrics in the JSON encoding of OTLP. Counters and histograms are cumulative. They have no start time: those of calls are older than
// the process.
import type {Distribution, MetricFamily} from '../../metrics/metric-family.ts';
import {otlpAttributes, otlpTime} from './otlp-value.ts';

const cumulative = 2;

export function encodeMetric(family: MetricFamily, nowMs: number): object {
  const {name, help: description} = family;
  const timeUnixNano = otlpTime(nowMs);
  if (family.type === 'histogram') {
    const dataPoints = family.distributions.map((distribution) => ({
      timeUnixNano,
      ...encodeDistribution(distribution),
    }));
    return {name, description, histogram: {aggregationTemporality: cumulative, dataPoints}};
  }
  const dataPoints = family.samples.map(({labels, value}) => ({
    timeUnixNano,
    attributes: otlpAttributes(labels),
    asDouble: value,
  }));
  if (family.type === 'gauge') return {name, description, gauge: {dataPoints}};
  return {name, description, sum: {aggregationTemporality: cumulative, isMonotonic: true, dataPoints}};
}

/** OTLP counts each bucket alone. */
function encodeDistribution({labels, buckets, sum, count}: Distribution): object {
  const counts = buckets.map((bucket, index) => bucket.count - (buckets[index - 1]?.count ?? 0));
  const beyond = count - (buckets.at(-1)?.count ?? 0);
  return {
    attributes: otlpAttributes(labels),
    count: String(count),
    sum,
    bucketCounts: [...counts, beyond].map(String),
    explicitBounds: buckets.map(({bound}) => bound),
  };
}
