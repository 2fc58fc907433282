// Runs on a Restate server: this side starts, signals and looks up; workers advance them.
import {withCheckedRunIds, type Engine, type EngineRun} from '@lumenflow/kernel/adapters';
import {setTimeout as wait} from 'node:timers/promises';
import {RestateServer, type FoundRun} from './restate-server.ts';
import type {RestateSettings} from './restate-settings.ts';
import {anySignal} from './run-object.ts';

/** How long to wait until the server shows what it has accepted. */
const visibleMs = 10_000;
const pauseMinMs = 20;
const pauseMaxMs = 500;

export function createEngine(settings: RestateSettings): Engine {
  const server = new RestateServer(settings);
  const query = async (run_id: string): Promise<EngineRun | undefined> => runOf(await server.find(run_id));

  return withCheckedRunIds({
    name: 'Restate',
    query,
    async start(run_id) {
      const {invocation} = await server.find(run_id);
      if (invocation?.status === 'paused') await server.end(invocation.id, 'resume');
      else if (invocation) return false;
      else {
        const id = await server.invoke(run_id);
        await within(visibleMs, () => server.knows(id));
      }
      return true;
    },
    async signal(run_id, answered) {
      const {waits} = await server.find(run_id);
      const names = Object.keys(waits).filter((name) => name === anySignal || answered.includes(name));
      const ids = names.map((name) => waits[name] ?? '');
      for (const id of ids) await server.resolve(id);
      const stillWaits = async (): Promise<boolean> => {
        const now = Object.values((await server.find(run_id)).waits);
        return ids.some((id) => now.includes(id));
      };
      if (ids.length > 0) await within(visibleMs, async () => !(await stillWaits()));
      return ids.length > 0;
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
      const {invocation, parked} = await server.find(run_id);
      if (!invocation) {
        if (parked === undefined) return;
        await server.forget(run_id);
        return await within(visibleMs, async () => (await query(run_id))?.state !== 'parked');
      }
      await server.end(invocation.id, 'cancel');
      await within(visibleMs, async () => (await server.find(run_id)).invocation?.id !== invocation.id);
    },
    close: () => Promise.resolve(),
  });
}

function runOf({invocation, waits, parked, parkedAt}: FoundRun): EngineRun | undefined {
  if (invocation === undefined && parked === undefined) return undefined;
  if (invocation === undefined)
    return {
      state: 'parked',
      reason: parked ?? '',
      ...(parkedAt !== undefined && {since: new Date(parkedAt).toISOString()}),
    };
  if (invocation.status === 'paused') return {state: 'parked', reason: 'its invocation is paused at the server'};
  const waits_for = Object.keys(waits).filter((name) => name !== anySignal);
  if (Object.keys(waits).length > 0) return {state: 'waiting', waits_for};
  return {state: invocation.status === 'running' ? 'running' : 'queued'};
}

async function within(ms: number, isSo: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + ms; !(await isSo()) && performance.now() < end;) await wait(pauseMinMs);
}
