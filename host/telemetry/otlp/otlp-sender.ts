// Sends a batch of one signal by OTLP over HTTP, in the JSON encoding.
import type {Deliver} from '../delivery/delivery-queue.ts';
import type {OtlpSettings, Signal} from './otlp-settings.ts';
import {readPartialSuccess} from './partial-success.ts';
import {otlpAttributes, type OtlpAttribute} from './otlp-value.ts';

/** Statuses that the protocol allows to retry. */
const retried = new Set([429, 502, 503, 504]);

const parts = {
  traces: ['resourceSpans', 'scopeSpans', 'spans'],
  metrics: ['resourceMetrics', 'scopeMetrics', 'metrics'],
  logs: ['resourceLogs', 'scopeLogs', 'logRecords'],
} as const;

export function createOtlpSender(signal: Signal, url: string, settings: OtlpSettings): Deliver<object> {
  const {headers, resource, timeoutMs} = settings;
  const [resources, scopes, items] = parts[signal];
  const attributes: readonly OtlpAttribute[] = otlpAttributes(resource);
  const scope = {name: '@lumenflow/host', version: resource['service.version']};
  return async (batch, signalToEnd) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {'content-type': 'application/json', ...headers},
      body: JSON.stringify({[resources]: [{resource: {attributes}, [scopes]: [{scope, [items]: batch}]}]}),
      signal: AbortSignal.any([signalToEnd, AbortSignal.timeout(timeoutMs)]),
      // A redirect could send the headers, which can be secret, elsewhere.
      redirect: 'error',
    });
    if (response.ok) return (await readPartialSuccess(response)) ?? 'delivered';
    // The status is enough, and a body could be of any size.
    await response.body?.cancel();
    if (retried.has(response.status)) throw new Error(`the collector returned status ${response.status}`);
    return 'rejected';
  };
}
