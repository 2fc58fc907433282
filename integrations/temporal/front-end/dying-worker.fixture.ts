// A worker whose attempts end its process, as a crash would. The argument is the engine's settings.
import {startEngineWorker} from '../start-engine-worker.ts';
import type {TemporalSettings} from '../temporal-settings.ts';

const settings = JSON.parse(process.argv[2] ?? '{}') as TemporalSettings;
await startEngineWorker(settings, {
  async advance() {
    process.kill(process.pid, 'SIGKILL');
    return await new Promise<never>(() => undefined);
  },
  read: async () => await Promise.resolve(undefined),
});
