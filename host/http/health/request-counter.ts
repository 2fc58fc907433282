// Counts requests by method, route and status. A path is its route's pattern, so that callers cannot add label values.
import type {MetricFamily} from '../../metrics/metric-family.ts';

export interface RequestCounter {
  add(method: string, route: string, status: number): void;
  family(): MetricFamily;
}

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

export function createRequestCounter(): RequestCounter {
  const counts = new Map<string, number>();
  return {
    add(method, route, status) {
      const key = [methods.has(method) ? method : 'other', route, status].join('\n');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    family: () => ({
      type: 'counter',
      name: 'lumenflow_http_requests_total',
      help: 'Requests that were answered, by route and status',
      samples: [...counts].map(([key, value]) => {
        const [method = '', route = '', status = ''] = key.split('\n');
        return {labels: {method, route, status}, value};
      }),
    }),
  };
}
