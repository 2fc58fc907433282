// The conformance suite of engines on a real Restate server.
import {runEngineConformance} from '@lumenflow/kernel/conformance';
import {afterAll, beforeAll, describe, it} from 'vitest';
import {createEngine} from './create-engine.ts';
import {startEngineWorker} from './start-engine-worker.ts';
import {createRestateServer, noServer, type RestateTestServer} from './testing/index.ts';

const retry = {firstMs: 10, mostMs: 50, attemptsMax: 3};
let server: RestateTestServer;
let namespaces = 0;

describe.skipIf(noServer !== undefined)('Restate', () => {
  beforeAll(async () => {
    server = await createRestateServer();
  });
  afterAll(() => server.remove());

  runEngineConformance({
    create() {
      const settings = {...server.urls[0], namespace: `test_${(namespaces += 1)}`};
      let port = 0;
      return {
        async open(work) {
          const worker = await startEngineWorker(settings, work, {hostname: '127.0.0.1', port, retry});
          // The server continues a run at the address where it began.
          port = Number(new URL(worker.url).port);
          const engine = createEngine(settings);
          return {
            engine,
            async close() {
              await engine.close();
              await worker.close();
            },
          };
        },
        remove: () => undefined,
      };
    },
    register: (name, run) => it(name, run),
  });
});
