// Hosts with separate folders that share one state: each knows the keys of the others, or does not start.
import {createHostDispatcher, createHostPackSource} from '@lumenflow/host';
import type {KernelRuntime} from '@lumenflow/kernel';
import {createProcessRegistry, initializeKernelRuntime, openFileState} from '@lumenflow/kernel/node';
import {appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';

const spec = `id: shared
packs: []
lanes: [{id: main, allowed_scopes: []}]
security: {allowed_scopes: []}
policies: {default_decision: allow}
state: {kind: postgres}
`;

test('a host starts on shared records only if it knows the key that signed them', async () => {
  const home = mkdtempSync(join(tmpdir(), 'lumenflow-shared-keys-'));
  onTestFinished(() => rmSync(home, {recursive: true}));
  const keysOf = (name: string): string => join(home, name, '.lumenflow/keys/evidence.pub');
  const start = async (name: string): Promise<KernelRuntime> => {
    const workspaceRoot = join(home, name);
    mkdirSync(workspaceRoot, {recursive: true});
    writeFileSync(join(workspaceRoot, 'workspace.yaml'), spec);
    return await initializeKernelRuntime({
      workspaceRoot,
      packs: createHostPackSource({workspaceRoot}),
      dispatcher: createHostDispatcher({workspaceRoot}),
      openState: () => openFileState({stateFolder: join(home, 'records'), processes: createProcessRegistry()}),
    });
  };
  const first = await start('first');
  await first.createTask({id: 'task-1', lane_id: 'main'}, {by: 'ann'});
  await first.close();

  const unknown = {code: 'LOAD_FAILED', message: expect.stringMatching(/evidence\.pub.*copy `\.lumenflow\/keys`/)};
  await expect(start('second')).rejects.toMatchObject(unknown);

  appendFileSync(keysOf('second'), readFileSync(keysOf('first')));
  const second = await start('second');
  await second.createTask({id: 'task-2', lane_id: 'main'}, {by: 'bob'});
  expect(await second.evidence.verify()).toMatchObject({findings: [expect.stringContaining('behind the newest')]});
  await second.close();
  await expect(start('first')).rejects.toMatchObject(unknown);
});
