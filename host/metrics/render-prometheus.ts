// Renders metrics in Prometheus' text format, version 0.0.4.
import type {Distribution, Labels, MetricFamily} from './metric-family.ts';

export const prometheusType = 'text/plain; version=0.0.4; charset=utf-8';

export function renderPrometheus(families: readonly MetricFamily[]): string {
  return families.map(renderFamily).join('');
}

function renderFamily(family: MetricFamily): string {
  const {name, type, help} = family;
  const lines =
    family.type === 'histogram'
      ? family.distributions.map((distribution) => renderDistribution(name, distribution))
      : family.samples.map(({labels, value}) => line(name, labels, value));
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function renderDistribution(name: string, {labels, buckets, sum, count}: Distribution): string {
  return [
    ...buckets.map((bucket) => line(`${name}_bucket`, {...labels, le: String(bucket.bound)}, bucket.count)),
    line(`${name}_bucket`, {...labels, le: '+Inf'}, count),
    line(`${name}_sum`, labels, sum),
    line(`${name}_count`, labels, count),
  ].join('');
}

function line(name: string, labels: Labels, value: number): string {
  const inside = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${inside.length > 0 ? `{${inside.join(',')}}` : ''} ${value}\n`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
