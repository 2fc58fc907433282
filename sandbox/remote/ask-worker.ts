// Asks one worker how it is, or to take no more calls.
import type {RemoteWorker} from '@lumenflow/schemas';
import type {Outcome} from '../outcome.ts';
import {connectWorkers, type ConnectOptions} from './connect-workers.ts';
import {readReport} from './worker-replies.ts';
import type {WorkerReport} from './worker-report.ts';

const requests = {
  report: {method: 'GET', path: '/v1/worker'},
  drain: {method: 'POST', path: '/v1/worker/drain'},
} as const;

const askMs = 10_000;

/** Both return the worker's report. Never rejects. */
export async function askWorker(
  worker: RemoteWorker,
  request: keyof typeof requests,
  options: ConnectOptions,
): Promise<Outcome<WorkerReport>> {
  const clients = connectWorkers([worker], options);
  if (!clients.ok) return clients;
  const [client] = clients.value;
  const reply = await client.send({...requests[request], timeoutMs: askMs});
  client.close();
  return reply.ok ? readReport(reply.value, client, {forCalls: request === 'report'}) : reply;
}
