// Both generations of control groups, laid out as plain folders: which one a machine has is not ours to choose.
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {thisProcess} from '../process-name.ts';
import {findControlGroups} from './find-control-groups.ts';

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'lumenflow-groups-'))));
afterEach(() => rmSync(root, {recursive: true, force: true}));

const pid = 4242;
function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), {recursive: true});
  writeFileSync(join(root, path), text);
}
const read = (...path: readonly string[]): string => readFileSync(join(root, ...path), 'utf8');
const groupsIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder)).filter((name) => name.startsWith(`lumenflow-${thisProcess()}-`));

describe('of the first generation', () => {
  const own = '8:pids:/\n4:memory:/service\n2:cpu,cpuacct:/\n0::/\n';

  test('only the requested bounds are set, in groups below our own', async () => {
    for (const folder of ['memory/service', 'pids']) mkdirSync(join(root, folder), {recursive: true});
    const groups = findControlGroups({root, own, pid});
    expect(groups?.enforces).toEqual(['memory_bytes', 'processes']);
    expect(groups?.open({open_files: 64})).toBeUndefined();
    const group = groups?.open({memory_bytes: 5000, processes: 10});
    await group?.add(77);
    const [memory = '', pids = ''] = [groupsIn('memory/service')[0], groupsIn('pids')[0]];
    expect(read('memory/service', memory, 'memory.limit_in_bytes')).toBe('5000');
    // The two of bubblewrap itself are not counted.
    expect(read('pids', pids, 'pids.max')).toBe('12');
    expect([read('memory/service', memory, 'cgroup.procs'), read('pids', pids, 'cgroup.procs')]).toEqual(['77', '77']);
    expect(group?.ranOutOfMemory()).toBe(false);
    put(`memory/service/${memory}/memory.oom_control`, 'oom_kill_disable 0\nunder_oom 0\noom_kill 1\n');
    expect(group?.ranOutOfMemory()).toBe(true);
  });

  test('a new process is announced in the current group of this one, which stays there', async () => {
    const [, now = ''] =
      /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/mu.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? [];
    mkdirSync(join(root, 'memory/elsewhere'), {recursive: true});
    put(`memory/${now}/cgroup.procs`, '');
    findControlGroups({root, own: '4:memory:/elsewhere\n', pid})?.open({memory_bytes: 5000});
    await expect.poll(() => read('memory', now, 'cgroup.procs')).toBe(String(pid));
    expect(existsSync(join(root, 'memory/elsewhere/cgroup.procs'))).toBe(false);
  });

  test('a missing controller is omitted', () => {
    mkdirSync(join(root, 'pids'));
    expect(findControlGroups({root, own, pid})?.enforces).toEqual(['processes']);
    rmSync(join(root, 'pids'), {recursive: true});
    expect(findControlGroups({root, own, pid})).toBeUndefined();
  });

  test('groups of a killed host are removed, those of a live host are not', () => {
    const [namespace] = thisProcess().split('-');
    const ended = 2 ** 22 + 1;
    // A number of another namespace says nothing about the processes of this one.
    const kept = [`lumenflow-${thisProcess()}-b`, `lumenflow-${Number(namespace) + 1}-${ended}-c`];
    for (const name of [`lumenflow-${namespace}-${ended}-a`, ...kept])
      mkdirSync(join(root, 'pids', name), {recursive: true});
    findControlGroups({root, own, pid});
    expect(readdirSync(join(root, 'pids')).toSorted()).toEqual(kept.toSorted());
  });
});

describe('of the second generation', () => {
  const own = '0::/user/host.scope\n';
  const scope = 'user/host.scope';

  test('controllers that are already delegated are used', () => {
    put(`${scope}/cgroup.controllers`, 'cpu memory pids\n');
    put(`${scope}/cgroup.subtree_control`, 'memory\n');
    put(`${scope}/cgroup.procs`, '1\n2\n');
    const groups = findControlGroups({root, own, pid});
    expect(groups?.enforces).toEqual(['memory_bytes']);
    groups?.open({memory_bytes: 5000});
    expect(read(scope, groupsIn(scope)[0] ?? '', 'memory.max')).toBe('5000');
  });

  test('a host that is alone in its group moves to a leaf and delegates controllers', () => {
    put(`${scope}/cgroup.controllers`, 'memory pids\n');
    put(`${scope}/cgroup.subtree_control`, '');
    put(`${scope}/cgroup.procs`, `${pid}\n`);
    expect(findControlGroups({root, own, pid})?.enforces).toEqual(['memory_bytes', 'processes']);
    expect(read(scope, 'lumenflow-host/cgroup.procs')).toBe(String(pid));
    const inLeaf = '0::/user/host.scope/lumenflow-host\n';
    put(`${scope}/cgroup.subtree_control`, 'memory pids\n');
    expect(findControlGroups({root, own: inLeaf, pid})?.enforces).toEqual(['memory_bytes', 'processes']);
  });

  test('a group with other processes is not changed', () => {
    put(`${scope}/cgroup.controllers`, 'memory pids\n');
    put(`${scope}/cgroup.subtree_control`, '');
    put(`${scope}/cgroup.procs`, `${pid}\n77\n`);
    expect(findControlGroups({root, own, pid})).toBeUndefined();
    expect(existsSync(join(root, scope, 'lumenflow-host'))).toBe(false);
  });
});
