// The conformance suite of engines on a real Restate server.
import {runEngineConformance} from '@lumenflow/kernel/conformance';
import {afterAll, beforeAll, describe, it} from 'vitest';
import {createEngine} from './create-engine.ts';
import {startEngineWorker} from './start-engine-worker.ts';
import {createRestateServer, noServer, type RestateTestServer} from './testing/index.ts';

const retry = {firstMs: 10, mostMs: 50, attemptsMax: 3};

describe.skipIf(noServer !== undefined).each([1, 3] as const)('Restate, on %i nodes', (nodes) => {
  let server: RestateTestServer;
  let namespaces = 0;
  beforeAll(async () => {
    server = await createRestateServer(nodes);
  });
  afterAll(() => server.remove());

  runEngineConformance({
    create() {
      // Clients and workers at a node that does not lead all partitions, as behind a balancer.
      const settings = {...server.urls.at(-1), namespace: `test_${(namespaces += 1)}`};
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
