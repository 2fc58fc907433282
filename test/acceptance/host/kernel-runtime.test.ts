// The specified way to start: `initializeKernelRuntime` with a workspace directory alone.
import {initializeKernelRuntime, startHost, type HostOptions, type Session} from '@lumenflow/host';
import {createExec} from '@lumenflow/host/exec';
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

test.each([
  [undefined, '`workspaceRoot` is missing'],
  [{}, '`workspaceRoot` is missing'],
  [{workspaceRoot: 5}, '`workspaceRoot` is not a path'],
  [{workspaceRoot: ''}, '`workspaceRoot` is not a path'],
  [{workspaceRoot: '/nowhere'}, '`/nowhere` is not a folder'],
  [{workspaceRoot: import.meta.filename}, 'is not a folder'],
  [{workspaceRoot: '/', env: 'PATH'}, '`env` is not an object'],
  [{workspaceRoot: '/', threads: -1}, '`threads` is not a number of threads'],
  [{workspaceRoot: '/', threads: '2'}, '`threads` is not a number of threads'],
])('a host does not start with the options %j', async (options, message) => {
  await expect(startHost(options as unknown as HostOptions)).rejects.toMatchObject({
    code: 'LOAD_FAILED',
    message: expect.stringContaining(message),
  });
});

test('a session that was not opened is a failure with its reason, also where it is used', async () => {
  const workspace = makeHostWorkspace({firstParty: ['software-delivery']});
  try {
    const host = await startHost({workspaceRoot: workspace.root, env: {PATH: process.env['PATH']}});
    const open = host.openSession as (request?: object) => ReturnType<typeof host.openSession>;
    expect(await open()).toMatchObject({error: {code: 'INVALID_INPUT', message: expect.stringContaining('`by`')}});
    const failed = await open({by: 'ann', lane: 'nowhere'});
    const exec = (session: unknown): unknown => createExec(host, {session: session as Session});
    expect(() => exec(failed)).toThrow('`session` is not an open session: there is no lane `nowhere`');
    expect(() => exec(undefined)).toThrow('pass what `openSession` returned');
    await host.close();
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
