// The specified way to start: `initializeKernelRuntime` with a workspace directory alone.
import {initializeKernelRuntime, type HostOptions} from '@lumenflow/host';
import {initializeKernelRuntime as initializeOnFiles} from '@lumenflow/kernel/node';
import {expect, test} from 'vitest';
import {makeHostWorkspace} from '../../support/host-workspace.ts';

test('starts on a workspace directory, calls its tools, and closes', async () => {
  const workspace = makeHostWorkspace({firstParty: ['software-delivery'], files: {'README.md': 'Hello\n'}});
  try {
    const runtime = await initializeKernelRuntime({workspaceRoot: workspace.root, env: {PATH: process.env['PATH']}});
    const claim = {task_id: 'task-1', by: 'ann', session_id: 'session-1'};
    expect(await runtime.createTask({id: 'task-1', lane_id: 'core'}, {by: 'ann'})).toMatchObject({success: true});
    const claimed = await runtime.claimTask(claim);
    if (!claimed.success) throw new Error(claimed.error.message);
    const context = {...claim, run_id: claimed.data.run_id};
    const output = await runtime.executeTool('file:read', {path: 'README.md'}, context);
    expect(output).toMatchObject({success: true, data: {content: 'Hello\n'}});
    await runtime.close();
    await expect(runtime.executeTool('file:read', {path: 'README.md'}, context)).rejects.toMatchObject({
      code: 'RUNTIME_CLOSED',
    });
  } finally {
    await workspace.remove();
  }
});

test.each(['packs', 'dispatcher'])(
  'the kernel alone reports that `%s` is missing, and what brings it',
  async (missing) => {
    const options = {workspaceRoot: '/nowhere', packs: {}, dispatcher: {}, [missing]: undefined} as unknown;
    await expect(
      initializeOnFiles(options as HostOptions & Parameters<typeof initializeOnFiles>[0]),
    ).rejects.toMatchObject({
      code: 'LOAD_FAILED',
      message: expect.stringMatching(new RegExp(`^\`${missing}\` is missing.*@lumenflow/host`)),
    });
  },
);
