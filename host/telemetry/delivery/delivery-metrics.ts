// What each receiver got, and what it did not get.
import type {MetricFamily} from '../../metrics/metric-family.ts';
import type {DeliveryCounters} from './delivery-queue.ts';

export type DeliveriesByReceiver = Readonly<Record<string, () => DeliveryCounters>>;

export function deliveryMetrics(receivers: DeliveriesByReceiver): readonly MetricFamily[] {
  const counters = Object.entries(receivers).map(([receiver, read]) => ({labels: {receiver}, ...read()}));
  if (counters.length === 0) return [];
  const family = (
    type: 'counter' | 'gauge',
    key: keyof DeliveryCounters,
    name: string,
    help: string,
  ): MetricFamily => ({
    type,
    name: `lumenflow_export_${name}`,
    help,
    samples: counters.map(({labels, [key]: value}) => ({labels, value})),
  });
  return [
    family('gauge', 'queued', 'queued', 'Items that wait for their receiver'),
    family('counter', 'delivered', 'delivered_total', 'Items that the receiver accepted'),
    family(
      'counter',
      'dropped',
      'dropped_total',
      'Items that were not delivered: the queue was full, or the receiver rejected them',
    ),
    family('counter', 'failed', 'failures_total', 'Attempts to deliver that failed'),
  ];
}
