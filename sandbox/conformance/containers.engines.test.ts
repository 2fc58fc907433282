// Containers pass the suite of all backends, each by its own runtime.
import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, test} from 'vitest';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {findProgram} from '../commands/find-program.ts';
import {createContainerdBackend} from '../containerd/create-containerd-backend.ts';
import {createOciBackend} from '../oci/create-oci-backend.ts';
import {createEngineBackend} from '../engine/create-engine-backend.ts';
import {engineBackends} from '../engine/engines.ts';
import {containerBackends, ociRuntimes} from '../oci/oci-runtime.ts';
import {createHostFiles} from '../profile/host-files.ts';
import {engineObstacle, startEngine, type EngineDaemon} from '../testing/engine-daemon.fixture.ts';
import {globMatcher} from '../testing/glob-matcher.fixture.ts';
import {networkObstacle} from '../testing/network-bench.fixture.ts';
import {bundleNetworkHolder, bundleRunner} from '../testing/sandbox-bench.fixture.ts';
import {runBackendConformance} from './run-backend-conformance.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-containers-')));
const runnerPath = join(folder, 'runner.cjs');
const networkHolderPath = join(folder, 'network-holder.cjs');
beforeAll(async () => {
  process.env['LUMENFLOW_CONFORMANCE_HOST'] = 'host';
  await Promise.all([bundleRunner(runnerPath), bundleNetworkHolder(networkHolderPath)]);
});
afterAll(() => {
  delete process.env['LUMENFLOW_CONFORMANCE_HOST'];
  rmSync(folder, {recursive: true});
});

const executor = createSpawnExecutor();
const networkProblem = networkObstacle();
const allowlist = 'an allowlist refuses what it does not list, at once';

for (const name of containerBackends) {
  const {program, install} = ociRuntimes[name];
  describe.skipIf(findProgram(program) === undefined)(`${name} (\`${install}\`)`, () => {
    runBackendConformance({
      register: (name, run) => test.concurrent(name, run),
      registerSkipped: (name, reason) => test.skip(`${name} (${reason})`),
      compilePattern: globMatcher,
      runnerPath,
      networkHolderPath,
      newBackend: (runner) => createOciBackend(name, {runner, executor, files: createHostFiles()}),
      startMs: name === 'gvisor' ? 4000 : 0,
      skip: networkProblem === undefined ? [] : [{reason: networkProblem, cases: [allowlist]}],
    });
  });
}

for (const name of engineBackends) {
  const obstacle = engineObstacle(name);
  describe.skipIf(obstacle !== undefined)(`${name}${obstacle === undefined ? '' : ` (${obstacle})`}`, () => {
    let daemon: EngineDaemon;
    beforeAll(async () => {
      daemon = await startEngine(name);
    }, 60_000);
    afterAll(async () => await daemon.end(), 60_000);
    runBackendConformance({
      register: (name, run) => test.concurrent(name, run, 120_000),
      registerSkipped: (name, reason) => test.skip(`${name} (${reason})`),
      compilePattern: globMatcher,
      runnerPath,
      networkHolderPath,
      newBackend: (runner) =>
        createEngineBackend(name, {runner, executor, files: createHostFiles(), socket: daemon.socket}),
      startMs: 8000,
      skip: networkProblem === undefined ? [] : [{reason: networkProblem, cases: [allowlist]}],
    });
  });
}

const ofContainerd = [
  {name: 'containerd', runtime: 'runc'},
  {name: 'containerd', runtime: 'crun'},
  {name: 'kata', runtime: 'kata'},
] as const;
for (const {name, runtime} of ofContainerd) {
  const obstacle = engineObstacle(name) ?? (runtime === 'crun' ? ociObstacle('crun') : undefined);
  describe.skipIf(obstacle !== undefined)(
    `${name} with ${runtime}${obstacle === undefined ? '' : ` (${obstacle})`}`,
    () => {
      let daemon: EngineDaemon;
      beforeAll(async () => {
        daemon = await startEngine(name);
      }, 60_000);
      afterAll(async () => await daemon.end(), 60_000);
      const noNetwork = runtime === 'kata' ? 'its machines have no network' : networkProblem;
      runBackendConformance({
        register: (title, run) => test.concurrent(title, run, 120_000),
        registerSkipped: (title, reason) => test.skip(`${title} (${reason})`),
        compilePattern: globMatcher,
        runnerPath,
        networkHolderPath,
        newBackend: (runner) =>
          createContainerdBackend(name, {runner, executor, files: createHostFiles(), socket: daemon.socket, runtime}),
        startMs: 8000,
        skip: noNetwork === undefined ? [] : [{reason: noNetwork, cases: [allowlist]}],
      });
    },
  );
}

function ociObstacle(name: (typeof containerBackends)[number]): string | undefined {
  const {program, install} = ociRuntimes[name];
  return findProgram(program) === undefined ? install : undefined;
}
