// Limits of tools that declare none: the defaults, and the ceiling of workspace.yaml, from the file to the receipt.
import type {LaneSpec, LimitCeilings} from '@lumenflow/schemas';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace | undefined;
afterEach(() => workspace?.remove());

async function shell(script: string, limits?: LimitCeilings, lane: Partial<LaneSpec> = {}) {
  workspace = makeHostWorkspace({
    copied: {attack: join(import.meta.dirname, 'attack-pack')},
    spec: {
      lanes: [{id: 'core', allowed_scopes: everything, ...lane}],
      security: {allowed_scopes: everything, ...(limits && {sandbox: {limits}})},
    },
  });
  const host = await workspace.start();
  const session = opened(await host.openSession({by: 'tester'}));
  const output = await session.call('attack:shell', {script});
  const {receipts} = await host.runtime.evidence.readTraces();
  return {output, enforcement: receipts[0]?.finished?.enforcement};
}

test('a tool without limits runs under the defaults, which its receipt lists', async () => {
  const {output, enforcement} = await shell('bash -c "ulimit -n; ulimit -f; ulimit -u"');
  expect(output).toMatchObject({success: true});
  expect(JSON.stringify(output.data)).toContain('16384\\n1048576\\n1024');
  expect(enforcement?.limits).toMatchObject({
    open_files: 16_384,
    memory_bytes: 2 * 1024 ** 3,
    write_files: expect.any(Number),
  });
  expect(enforcement?.limits_from).toEqual({timeout_ms: 'tool'});
});

test('a ceiling lowers the default; the failure names the bound, what set it, and where to change it', async () => {
  const {output, enforcement} = await shell('head -c 300000000 /dev/zero | tail -c 290000000 | sleep 5', {
    memory_bytes: 96 * 1024 * 1024,
  });
  expect(output.error).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: expect.stringContaining('`security.sandbox.limits.memory_bytes` in workspace.yaml'),
    details: {limit: 'memory_bytes', bound: 96 * 1024 * 1024, limit_from: 'workspace'},
  });
  expect(enforcement?.limits).toMatchObject({memory_bytes: 96 * 1024 * 1024});
  expect(enforcement?.limits_from).toEqual({memory_bytes: 'workspace', timeout_ms: 'tool'});
});

test('a transactional call that makes too many files names the limit and where to raise it', async () => {
  const script = 'mkdir many; i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo > many/$i; done';
  const {output} = await shell(script, {write_files: 100}, {writes: 'transactional'});
  expect(output.error).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: expect.stringMatching(/100 files.*`security\.sandbox\.limits\.write_files` in workspace\.yaml/su),
    details: {limit: 'write_files', bound: 100, limit_from: 'workspace'},
  });
});

test('a ceiling of the time binds a tool that asks for more', async () => {
  const {output} = await shell('sleep 10', {timeout_ms: 700});
  expect(output.error).toMatchObject({code: 'TOOL_TIMEOUT', message: expect.stringContaining('700 ms')});
});
