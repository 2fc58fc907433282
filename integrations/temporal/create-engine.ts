// Runs on a Temporal server: this side starts, signals and looks up; workers advance them.
import {withCheckedRunIds, type Engine, type EngineRun} from '@lumenflow/kernel/adapters';
import {setTimeout as wait} from 'node:timers/promises';
import {retryDefaults, type RetryOptions} from './retry-options.ts';
import {TemporalServer, type FoundRun} from './temporal-server.ts';
import type {TemporalSettings} from './temporal-settings.ts';

/** How long to wait until the server shows what a worker has done. */
const visibleMs = 10_000;
const pauseMinMs = 20;
const pauseMaxMs = 500;

export function createEngine(settings: TemporalSettings, retry: RetryOptions = {}): Engine {
  const server = new TemporalServer(settings, process.env);
  const query = async (run_id: string): Promise<EngineRun | undefined> => runOf(await server.find(run_id));

  return withCheckedRunIds({
    name: 'Temporal',
    query,
    start: async (run_id) => await server.start({run_id, retry: {...retryDefaults, ...retry}}),
    async signal(run_id, answered) {
      const found = await server.find(run_id);
      const {wait: open} = found ?? {};
      if (found === undefined || open === undefined || !isAnswered(open.requests, answered)) return false;
      if (!(await server.signal(run_id, found.execution, open.number))) return false;
      await within(visibleMs, async () => {
        const now = await server.find(run_id);
        return now?.execution !== found.execution || now.wait?.number !== open.number;
      });
      return true;
    },
    async wait(run_id, signal) {
      for (let pause = pauseMinMs; ; pause = Math.min(pauseMaxMs, pause * 1.5)) {
        signal?.throwIfAborted();
        const run = await query(run_id);
        if (run?.state !== 'queued' && run?.state !== 'running') return run;
        await wait(pause, undefined, {...(signal && {signal})}).catch(() => signal?.throwIfAborted());
      }
    },
    async cancel(run_id) {
      const found = await server.find(run_id);
      if (found === undefined || found.status === 'over') return;
      if (found.status === 'failed') await server.remove(run_id, found.execution);
      else if (!(await server.cancel(run_id, found.execution))) return;
      await within(visibleMs, async () => {
        const now = await server.find(run_id);
        return now?.execution !== found.execution || now.status !== found.status;
      });
    },
    close: () => server.close(),
  });
}

function runOf(found: FoundRun | undefined): EngineRun | undefined {
  if (found === undefined || found.status === 'over') return undefined;
  if (found.status === 'failed') {
    const {reason, closedAt} = found;
    return {state: 'parked', reason, ...(closedAt && {since: closedAt.toISOString()})};
  }
  if (found.wait) return {state: 'waiting', waits_for: found.wait.requests};
  return {state: found.isUnderWay ? 'running' : 'queued'};
}

/** A run that names no request continues at any signal. */
function isAnswered(requests: readonly string[], answered: readonly string[]): boolean {
  return requests.length === 0 || requests.some((request) => answered.includes(request));
}

async function within(ms: number, isSo: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + ms; !(await isSo()) && performance.now() < end;) await wait(pauseMinMs);
}
