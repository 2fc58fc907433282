// What Proxmox VE answers when it cannot do what it is asked, as its users report it, and what becomes of the container.
import {beforeEach, describe, expect, test} from 'vitest';
import type {Fault} from '../testing/proxmox/proxmox-stand-in.fixture.ts';
import {
  createLifeBench,
  someLimits,
  templateConfig,
  type LifeBench,
} from '../testing/proxmox/container-life.fixture.ts';

let bench: LifeBench;
beforeEach(() => {
  bench = createLifeBench();
});

const lock = "can't lock file '/run/lock/lxc/pve-config-100.lock' - got timeout";

/** The container is there in the end. */
const passing: readonly (readonly [string, readonly Fault[]])[] = [
  ['the template is locked by another copy', [{of: /clone$/, message: 'CT is locked (disk)', times: 3}]],
  ['the lock of a task is not free in time', [{of: /clone$/, exitStatus: lock}]],
  ['the copy is locked while it is configured', [{of: /PUT/, message: 'CT is locked (disk)', times: 4}]],
  ['the copy is locked while it starts', [{of: /start$/, exitStatus: 'CT is locked (mounted)', times: 2}]],
  ['the status of a task cannot be read while it runs', [{of: /tasks/, status: 500, message: 'got no data', times: 5}]],
  [
    'a proxy of the cluster does not reach the node',
    [{of: /tasks/, status: 595, message: 'Connection timed out', times: 3}],
  ],
  [
    'another host got the id first',
    [{of: /clone$/, message: "unable to create CT 100 - CT 100 already exists on node 'pve1'"}],
  ],
  [
    'another host got the id while the task ran',
    [{of: /clone$/, exitStatus: 'unable to create CT 100: config file already exists'}],
  ],
  ['a task was done with warnings', [{of: /tasks/, exitStatus: 'WARNINGS: 1', after: 1}]],
  ['the container has no address yet', [{of: /interfaces/, status: 500, message: 'CT not running', times: 3}]],
];

test.each(passing)('waits when %s', async (_, faults) => {
  bench.server.fail(...faults);
  const opened = await bench.life.open(someLimits, true);
  expect(opened).toMatchObject({ok: true, value: {id: 100, worker: '127.0.0.1'}});
  expect(bench.server.state.get(100).status).toBe('running');
});

/** Nothing is left. */
const failing: readonly (readonly [string, string, readonly Fault[]])[] = [
  ['the storage is full', 'copied', [{of: /clone$/, exitStatus: 'clone failed: out of space'}]],
  [
    'the token lacks a privilege',
    'copied',
    [{of: /clone$/, status: 403, message: 'Permission check failed (/vms/100, VM.Allocate)'}],
  ],
  [
    'limits are refused',
    'limited',
    [{of: /PUT/, status: 400, message: 'Parameter verification failed.', errors: {memory: 'too large'}}],
  ],
  ['its storage has no snapshots', 'saved', [{of: /snapshot$/, message: 'snapshot feature is not available'}]],
  ['it does not start', 'started', [{of: /start$/, exitStatus: "startup for container '100' failed"}]],
  ['the lock is never free', 'started', [{of: /start$/, message: 'CT is locked (backup)', times: 1000}]],
  ['it gets no address', 'reached', [{of: /interfaces/, status: 500, message: 'CT not running', times: 1000}]],
];

test.each(failing)('leaves nothing when %s', async (_, step, faults) => {
  bench.server.fail(...faults);
  const opened = await bench.life.open(someLimits, true);
  expect(opened).toMatchObject({ok: false, problem: {step}});
  expect(bench.ids()).toEqual([]);
});

test('leaves nothing when the worker never answers', async () => {
  bench.silent = Infinity;
  expect(await bench.life.open(someLimits, false)).toMatchObject({ok: false, problem: {step: 'reached'}});
  expect(bench.ids()).toEqual([]);
});

test('removes a copy whose request got no answer', async () => {
  bench.server.fail({of: /clone$/, isDropped: true});
  expect(await bench.life.open(someLimits, false)).toMatchObject({ok: false, problem: {step: 'copied'}});
  expect(bench.ids()).toEqual([]);
});

test('never destroys a container that got the id meanwhile', async () => {
  const opened = await bench.life.open(someLimits, false);
  bench.server.state.get(100).config['hostname'] = 'database';
  if (!opened.ok) throw new Error(opened.problem.failure.message);
  expect(await bench.life.destroy(opened.value)).toMatchObject({ok: true});
  expect(bench.ids()).toEqual([100]);
});

test('hosts that are offered the same id get one each', async () => {
  const opened = await Promise.all(Array.from({length: 5}, () => bench.life.open(someLimits, false)));
  expect(opened.every(({ok}) => ok)).toBe(true);
  expect(bench.ids().toSorted((a, b) => a - b)).toEqual([100, 101, 102, 103, 104]);
});

describe('a container that its administrator has opened', () => {
  const opened: readonly (readonly [string, object])[] = [
    ['privileged', {unprivileged: 0}],
    ['a mount point', {mp0: '/srv,mp=/srv'}],
    ['a device', {dev0: '/dev/kvm'}],
    ['a further network', {net1: 'name=eth1,bridge=vmbr0,ip=dhcp'}],
    ['a feature', {features: 'nesting=1,keyctl=1'}],
    ['file systems', {features: 'mount=nfs'}],
  ];
  test.each(opened)('is never started: %s', async (_, config) => {
    bench.server.state.add(9000, {...templateConfig, ...config});
    expect(await bench.life.open(someLimits, false)).toMatchObject({ok: false, problem: {step: 'accepted'}});
    expect(bench.server.asked.filter((request) => request.endsWith('start'))).toEqual([]);
    expect(bench.ids()).toEqual([]);
  });
});

test('a kept container gets the limits of its next call, as its node confirms', async () => {
  const opened = await bench.life.open(someLimits, true);
  if (!opened.ok) throw new Error(opened.problem.failure.message);
  const renewed = await bench.life.renew(opened.value);
  if (!renewed.ok) throw new Error(renewed.problem.failure.message);
  expect(await bench.life.limit(renewed.value, {...someLimits, memory: 2048})).toMatchObject({ok: true});
  expect(bench.server.state.get(100).config).toMatchObject({memory: 2048, swap: 0, tags: 'lumenflow'});
});
