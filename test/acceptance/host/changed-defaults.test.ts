// A workspace that an earlier version worked in: its first start with this one says what it does differently, once.
import type {Problem} from '@lumenflow/kernel';
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {makeHostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const workspace = makeHostWorkspace({copied: {attack: join(import.meta.dirname, 'attack-pack')}});
afterAll(async () => await workspace.remove());

async function changesSaid(): Promise<readonly Problem[]> {
  const said: Problem[] = [];
  const host = await workspace.start({onWarning: (problem) => said.push(problem)});
  const session = opened(await host.openSession({by: 'tester'}));
  await session.call('attack:shell', {script: 'echo x > made'});
  await host.close();
  return said.filter(({code}) => code === 'DEFAULT_CHANGED');
}

test('it names the tools whose calls are transactional now', async () => {
  expect(await changesSaid()).toEqual([]);
  rmSync(join(workspace.root, '.lumenflow/notices'), {recursive: true});
  const [changed] = await changesSaid();
  expect(changed).toMatchObject({severity: 'warning', message: expect.stringContaining('transactional now')});
  expect(changed?.help).toContain('security.direct_writes');
  expect(await changesSaid()).toEqual([]);
});
