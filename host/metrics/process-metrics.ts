// Metrics of this process, with the names that Prometheus' client libraries use.
import {single, type MetricFamily} from './metric-family.ts';

export function processMetrics(version: string): readonly MetricFamily[] {
  const {user, system} = process.cpuUsage();
  const {active} = performance.eventLoopUtilization();
  return [
    {
      type: 'gauge',
      name: 'lumenflow_build_info',
      help: 'Always 1; the labels are the versions',
      samples: [{labels: {version, node: process.versions.node}, value: 1}],
    },
    single(
      'gauge',
      'process_start_time_seconds',
      'Start of the process, since the epoch',
      performance.timeOrigin / 1_000,
    ),
    single('counter', 'process_cpu_seconds_total', 'Processor time of the process', (user + system) / 1_000_000),
    single('gauge', 'process_resident_memory_bytes', 'Memory of the process', process.memoryUsage.rss()),
    single(
      'counter',
      'lumenflow_event_loop_active_seconds_total',
      'Time in which the event loop was busy',
      active / 1_000,
    ),
  ];
}
