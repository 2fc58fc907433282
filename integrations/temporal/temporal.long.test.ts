// The conformance suite of engines with the real client, worker and core of Temporal: against a stand-in for the server's front end, and
// against a real server if `TEMPORAL_ADDRESS` names one.
import {runEngineConformance} from '@lumenflow/kernel/conformance';
import {randomBytes} from 'node:crypto';
import {afterAll, beforeAll, describe, it} from 'vitest';
import {createEngine} from './create-engine.ts';
import {startFrontEnd, type FrontEnd} from './front-end/start-front-end.fixture.ts';
import {startEngineWorker} from './start-engine-worker.ts';

const retry = {firstMs: 10, mostMs: 50, attemptsMax: 3, heartbeatMs: 20_000};
const real = process.env['TEMPORAL_ADDRESS'];
let frontEnd: FrontEnd;

describe('Temporal, with a stand-in for its server', () => {
  beforeAll(async () => {
    frontEnd = await startFrontEnd();
  });
  afterAll(() => frontEnd.close());
  conform(() => frontEnd.address);
});

describe.skipIf(real === undefined)('Temporal, with the server of TEMPORAL_ADDRESS', () => {
  conform(() => real ?? '');
});

function conform(addressOf: () => string): void {
  runEngineConformance({
    create() {
      const settings = {address: addressOf(), namespace: `test_${randomBytes(6).toString('hex')}`};
      return {
        async open(work) {
          const worker = await startEngineWorker(settings, work);
          const engine = createEngine(settings, retry);
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
}
