// An attempt that ends its process, as a crash would. The argument is the folder of the notes.
import {withBoundedDeaths} from './with-bounded-deaths.ts';

const work = withBoundedDeaths(
  {
    async advance() {
      process.kill(process.pid, 'SIGKILL');
      return await new Promise<never>(() => undefined);
    },
    read: async () => await Promise.resolve(undefined),
  },
  {folder: process.argv[2] ?? '', deathsMax: 3, callsOf: async () => await Promise.resolve(0)},
);
await work.advance('run-1', new AbortController().signal);
