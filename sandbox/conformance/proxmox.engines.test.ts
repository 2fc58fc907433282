// Containers of Proxmox VE pass the suite of all backends: the API by a stand-in, the containers by LXC, with a worker in each.
import {mkdtempSync, realpathSync, rmSync, chmodSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, test} from 'vitest';
import {createProxmoxLxcBackend} from '../proxmox-lxc/create-proxmox-lxc-backend.ts';
import {createRemoteBackend} from '../remote/create-remote-backend.ts';
import {ok} from '../outcome.ts';
import {globMatcher} from '../testing/glob-matcher.fixture.ts';
import {proxmoxObstacle, startProxmox, type ProxmoxMachine} from '../testing/proxmox/start-proxmox.fixture.ts';
import {workerTemplate, type WorkerTemplate} from '../testing/proxmox/worker-template.fixture.ts';
import {bundleNetworkHolder, bundleRunner} from '../testing/sandbox-bench.fixture.ts';
import {runBackendConformance} from './run-backend-conformance.ts';

const obstacle = proxmoxObstacle();
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-containers-')));
chmodSync(folder, 0o755);
const runnerPath = join(folder, 'runner.cjs');
const networkHolderPath = join(folder, 'network-holder.cjs');
let machine: ProxmoxMachine;
let made: WorkerTemplate;
beforeAll(async () => {
  if (obstacle !== undefined) return;
  await Promise.all([bundleRunner(runnerPath), bundleNetworkHolder(networkHolderPath)]);
  made = await workerTemplate(folder);
  machine = await startProxmox(made.template);
}, 120_000);
afterAll(async () => {
  if (obstacle === undefined) await machine.end();
  rmSync(folder, {recursive: true});
}, 60_000);

describe.skipIf(obstacle !== undefined)(
  `proxmox-lxc, by a stand-in (${obstacle ?? 'npm run engines -- proxmox-lxc'})`,
  () => {
    runBackendConformance({
      register: (name, run) => test(name, {timeout: 600_000}, run),
      registerSkipped: (name, reason) => test.skip(`${name} (${reason})`),
      compilePattern: globMatcher,
      runnerPath,
      networkHolderPath,
      newBackend: (runner) =>
        createProxmoxLxcBackend({
          options: {...machine.options, token: 'PROXMOX_TOKEN', worker_key: made.workerKey},
          secret: () => machine.token,
          connect: (worker) =>
            createRemoteBackend({runner, workers: [worker], workerKey: async () => ok(made.hostKey)}),
        }),
      startMs: 20_000,
      skip: [
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
