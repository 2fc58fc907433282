// Containers pass the suite of all backends, each by its own runtime.
import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, test} from 'vitest';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {findProgram} from '../commands/find-program.ts';
import {createOciBackend} from '../oci/create-oci-backend.ts';
import {containerBackends, ociRuntimes} from '../oci/oci-runtime.ts';
import {createHostFiles} from '../profile/host-files.ts';
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
const obstacle = networkObstacle();
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
      skip: obstacle === undefined ? [] : [{reason: obstacle, cases: [allowlist]}],
    });
  });
}
