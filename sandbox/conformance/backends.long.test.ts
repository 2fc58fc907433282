// All backends of this package pass one suite; cases that cannot run here are skipped, with the reason.
import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {createBubblewrapBackend} from '../bubblewrap/create-bubblewrap-backend.ts';
import {findBwrap} from '../bubblewrap/host-system.ts';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {createHostFiles} from '../profile/host-files.ts';
import {createSeatbeltBackend} from '../seatbelt/create-seatbelt-backend.ts';
import {globMatcher} from '../testing/glob-matcher.fixture.ts';
import {networkObstacle} from '../testing/network-bench.fixture.ts';
import {bundleNetworkHolder, bundleRunner, bundleWasmThread} from '../testing/sandbox-bench.fixture.ts';
import {bundleStandIn} from '../testing/seatbelt/seatbelt-bench.fixture.ts';
import {openWorkerBench, type WorkerBench} from '../testing/worker-bench.fixture.ts';
import {withoutModules, writeWasmHandler} from '../testing/wasm-handlers.fixture.ts';
import {createUnsafeHostBackend} from '../unsafe-host/create-unsafe-host-backend.ts';
import {createWasmBackend} from '../wasm/create-wasm-backend.ts';
import {runBackendConformance, type ConformanceOptions, type SkippedCases} from './run-backend-conformance.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-backends-')));
const runnerPath = join(folder, 'runner.cjs');
const networkHolderPath = join(folder, 'network-holder.cjs');
const wasmThreadPath = join(folder, 'wasm-thread.cjs');
beforeAll(async () => {
  process.env['LUMENFLOW_CONFORMANCE_HOST'] = 'host';
  await Promise.all([
    bundleRunner(runnerPath),
    bundleNetworkHolder(networkHolderPath),
    bundleWasmThread(wasmThreadPath),
    bundleStandIn(folder),
  ]);
});
afterAll(() => {
  delete process.env['LUMENFLOW_CONFORMANCE_HOST'];
  rmSync(folder, {recursive: true});
});

const common: Omit<ConformanceOptions, 'newBackend'> = {
  register: (name, run) => test.concurrent(name, run),
  registerSkipped: (name, reason) => test.skip(`${name} (${reason})`),
  compilePattern: globMatcher,
  runnerPath,
  networkHolderPath,
};
const executor = createSpawnExecutor();
const allowlist = 'an allowlist refuses what it does not list, at once';

const obstacle = networkObstacle();
describe.skipIf(findBwrap('/usr/bin:/bin') === undefined)('bubblewrap (`apt-get install bubblewrap`)', () => {
  runBackendConformance({
    ...common,
    newBackend: () => createBubblewrapBackend({searchPath: '/usr/bin:/bin', executor, files: createHostFiles()}),
    skip: obstacle === undefined ? [] : [{reason: obstacle, cases: [allowlist]}],
  });
});

const unconfined: SkippedCases = {
  reason: 'it is no sandbox',
  cases: [
    'what is granted can be read and written, and nothing else',
    'a folder can be written inside another that can only be read',
    'files with secrets are hidden inside every grant',
    'the system can be read, and not written',
    'the call has no capabilities and cannot gain any',
    'processes of the host cannot be seen',
    'without a network nothing answers, on the host neither',
    allowlist,
  ],
};
const leftGroup: SkippedCases = {
  reason: 'a process that leaves its group is not found again',
  cases: ['a timeout ends children that have left the process group'],
};

describe.skipIf(findBwrap('/usr/bin:/bin') === undefined)(
  'remote, over bubblewrap (`apt-get install bubblewrap`)',
  () => {
    let bench: WorkerBench;
    beforeAll(async () => {
      bench = await openWorkerBench({
        runnerPath,
        networkHolderPath,
        resolveHost: async () => ['203.0.113.1'],
        slots: 64,
      });
    });
    afterAll(() => bench.close());
    runBackendConformance({
      ...common,
      newBackend: (runner) => bench.newBackend(runner),
      skip: [
        ...(obstacle === undefined ? [] : [{reason: obstacle, cases: [allowlist]}]),
        {
          reason: 'nothing that a call writes reaches the host before it has returned',
          cases: [
            'a timeout ends the handler and the children that ignore SIGTERM',
            'a timeout ends children that have left the process group',
            'a cancel reaches the handler, which may clean up',
          ],
        },
      ],
    });
  },
);

describe('unsafe-host', () => {
  runBackendConformance({...common, newBackend: createUnsafeHostBackend, skip: [unconfined, leftGroup]});
});

describe('seatbelt, over a stand-in for sandbox-exec', () => {
  runBackendConformance({
    ...common,
    newBackend: (runner) =>
      createSeatbeltBackend({runner, executor, temporaryRoot: folder, programPath: join(folder, 'stand-in.cjs')}),
    runtimePaths: [join(folder, 'guard.cjs')],
    skip: [
      leftGroup,
      {
        reason: 'macOS has no such thing',
        cases: ['the call has no capabilities and cannot gain any', 'processes of the host cannot be seen'],
      },
      {reason: 'its clients ask a proxy instead of connecting', cases: [allowlist]},
    ],
  });
});

describe('wasm', () => {
  runBackendConformance({
    ...common,
    newBackend: () => createWasmBackend({wasmThreadPath}),
    writeHandler: writeWasmHandler,
    skip: withoutModules,
  });
});

test('a case that does not exist cannot be skipped', () => {
  const skip = [{reason: 'misspelt', cases: ['a result is the outptu of the call']}];
  expect(() => runBackendConformance({...common, newBackend: createUnsafeHostBackend, skip})).toThrow(
    'there is no case `a result is the outptu of the call` to skip',
  );
});
