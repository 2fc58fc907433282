// Containers of hosts that were killed are removed, and those of others are left alone.
import {spawnSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {createLifeBench, templateConfig} from '../testing/proxmox/container-life.fixture.ts';
import {newContainerName} from './container-name.ts';
import {reapContainers} from './reap-containers.ts';

/** The name that a process which has ended would have given. */
function nameOfAnEndedHost(): string {
  const {pid} = spawnSync('true');
  return newContainerName().replace(new RegExp(`-${process.pid}-(\\d+)$`), `-${pid}-$1`);
}

test('removes what ended hosts of this machine have left, though it was locked, and nothing else', async () => {
  const bench = createLifeBench();
  const left = nameOfAnEndedHost();
  const names = [
    left,
    newContainerName(),
    left.replace(/^lumenflow-[0-9a-f]{12}/, 'lumenflow-000000000000'),
    'lumenflow-database',
    'web',
  ];
  for (const [index, hostname] of names.entries()) {
    bench.server.state.add(100 + index, {...templateConfig, template: 0, hostname, tags: 'lumenflow'});
  }
  bench.server.fail({of: /DELETE/, message: 'CT is locked (disk)', times: 3});
  await reapContainers(bench.api, bench.life);
  expect(bench.ids()).toEqual([101, 102, 103, 104]);
});

test('does not fail where the server does not answer', async () => {
  const bench = createLifeBench();
  bench.server.fail({of: /./, isDropped: true});
  await reapContainers(bench.api, bench.life);
  expect(bench.server.asked).toEqual(['GET /nodes/pve1/lxc']);
});
