// Calls in containers of a stand-in for Proxmox VE, which LXC really runs, by a worker in each.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ProxmoxLxcOptions} from '@lumenflow/schemas';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {ok} from '../outcome.ts';
import type {LoopingHost} from '../testing/proxmox/looping-host.fixture.ts';
import {proxmoxObstacle, startProxmox, type ProxmoxMachine} from '../testing/proxmox/start-proxmox.fixture.ts';
import {workerTemplate, type WorkerTemplate} from '../testing/proxmox/worker-template.fixture.ts';
import {createBench, type Bench} from '../testing/sandbox-bench.fixture.ts';
import {createContainerApi, type ContainerApi, type ListedContainer} from './container-api.ts';
import {realPacing} from './pacing.ts';
import {createProxmoxApi} from './proxmox-api.ts';

const obstacle = proxmoxObstacle();
const timeout = 300_000;
const looping = join(import.meta.dirname, '../testing/proxmox/looping-host.fixture.ts');

describe.skipIf(obstacle !== undefined)(`calls in containers of Proxmox VE (${obstacle ?? 'by a stand-in'})`, () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-containers-')));
  let machine: ProxmoxMachine;
  let made: WorkerTemplate;
  let options: ProxmoxLxcOptions;
  let api: ContainerApi;
  let bench: Bench;
  beforeAll(async () => {
    chmodSync(folder, 0o755);
    made = await workerTemplate(folder);
    machine = await startProxmox(made.template);
    options = {...machine.options, token: 'PROXMOX_TOKEN', worker_key: made.workerKey, containers_kept: 1};
    api = createContainerApi(createProxmoxApi({...machine.options, token: machine.token}), options.node, realPacing);
    const {token} = machine;
    const workerKey = async () => ok(made.hostKey);
    bench = await createBench({backend: 'proxmox-lxc', secret: () => token, workerKey});
  }, timeout);
  afterAll(async () => {
    await bench.remove();
    await machine.end();
    rmSync(folder, {recursive: true});
  }, timeout);

  /** Without the template, and the container of somebody else. */
  async function containers(): Promise<readonly ListedContainer[]> {
    const listed = await api.list();
    if (!listed.ok) throw new Error(listed.problem.message);
    const names = listed.value.map(({name}) => name);
    expect(names).toEqual(expect.arrayContaining(['lumenflow-template', 'database']));
    return listed.value.filter(({name}) => name?.startsWith('lumenflow-') === true && name !== 'lumenflow-template');
  }

  const inContainers = (): {readonly backendOptions: {readonly 'proxmox-lxc': ProxmoxLxcOptions}} => ({
    backendOptions: {'proxmox-lxc': options},
  });

  test('a call has its files and no network, and its worker attests what it enforced', {timeout}, async () => {
    bench.put('src/a', 'content');
    const entry = bench.handler(
      `return {content: fs.readFileSync(context.workspace_root + '/src/a', 'utf8'), cards: Object.keys(os.networkInterfaces()),
        machine: fs.existsSync('/opt/lumenflow/worker.mjs')};`,
      `import os from 'node:os';`,
    );
    const {output, enforcement} = await bench.run(entry, {read: ['src/**'], request: inContainers()});
    expect(output).toEqual({success: true, data: {content: 'content', cards: ['lo'], machine: false}});
    expect(enforcement).toMatchObject({backend: 'proxmox-lxc', tier: 'standard'});
    expect(enforcement.attestation?.call).toMatchObject({worker: 'template', backend: 'bubblewrap'});
  });

  test('the next call gets the same container, rolled back', {timeout}, async () => {
    await vi.waitUntil(async () => (await containers()).length === 1, {timeout});
    const [before] = await containers();
    const {output} = await bench.call('return 1;', {request: inContainers()});
    expect(output).toEqual({success: true, data: 1});
    expect((await containers()).map(({vmid}) => vmid)).toContain(before?.vmid);
  });

  test('a call that does not return ends, and another can be made', {timeout}, async () => {
    const {output} = await bench.call('for (;;) {}', {wallMs: 3000, request: inContainers()});
    expect(output.error).toMatchObject({code: 'TOOL_TIMEOUT'});
    expect((await bench.call('return 2;', {request: inContainers()})).output).toEqual({success: true, data: 2});
  });

  test('what a killed host has left is removed, and nothing else', {timeout}, async () => {
    await bench.call('return 1;', {request: inContainers()});
    await vi.waitUntil(async () => (await containers()).length === 1, {timeout});
    const own = new Set((await containers()).map(({name}) => name));
    const pem = made.hostKey.privateKey.export({type: 'pkcs8', format: 'pem'}).toString();
    const orders: LoopingHost = {options, token: machine.token, key: {id: made.hostKey.id, pem}};
    const flags = ['--import', 'tsx', '--conditions=@lumenflow/source'];
    const host = spawn(process.execPath, [...flags, looping, JSON.stringify(orders)], {stdio: 'ignore'});
    const left = async (): Promise<readonly ListedContainer[]> =>
      (await containers()).filter(({name = ''}) => name.includes(`-${host.pid}-`));
    await vi.waitUntil(async () => (await left()).length > 0, {timeout, interval: 300});
    const ended = once(host, 'exit');
    host.kill('SIGKILL');
    await ended;
    await vi.waitUntil(
      async () => {
        await bench.sandbox.reap({'proxmox-lxc': options});
        return (await left()).length === 0;
      },
      {timeout, interval: 1000},
    );
    const names = (await containers()).map(({name}) => name);
    expect(names).toEqual(expect.arrayContaining([...own]));
  });
});
