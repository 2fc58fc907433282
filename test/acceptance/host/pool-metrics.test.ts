// What /metrics says of the threads, from a real host whose handlers misbehave on them.
import {openTokenStore, startHttpServer} from '@lumenflow/host';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {codeOf, makeHostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

test('calls of the pool are counted by their outcome; sandboxed calls are not counted', async () => {
  const workspace = makeHostWorkspace({
    copied: {both: join(import.meta.dirname, 'both-pack')},
    pins: {both: {trust: 'in_process'}},
  });
  onTestFinished(() => workspace.remove());
  const host = await workspace.start();
  const session = opened(await host.openSession({by: 'tester'}));
  expect(await codeOf(session, 'pool:echo')).toBe('success');
  expect(await codeOf(session, 'sandbox:echo')).toBe('success');
  expect(await codeOf(session, 'pool:misbehave', {how: 'exit'})).toBe('TOOL_CRASHED');
  expect(await codeOf(session, 'pool:misbehave', {how: 'spin'})).toBe('TOOL_TIMEOUT');

  const tokens = openTokenStore(workspace.root);
  const server = await startHttpServer(host, {tokens, version: '0.0.0'});
  onTestFinished(() => server.close());
  const token = await tokens.issue({name: 'olga', role: 'operator'});
  const response = await fetch(`${server.url}/metrics`, {headers: {authorization: `Bearer ${token}`}});
  const lines = (await response.text()).split('\n');
  for (const line of [
    'lumenflow_pool_waiting 0',
    'lumenflow_pool_running 0',
    'lumenflow_pool_calls_total{ended="completed"} 1',
    'lumenflow_pool_calls_total{ended="crashed"} 1',
    'lumenflow_pool_calls_total{ended="timed_out"} 1',
    'lumenflow_pool_calls_total{ended="refused"} 0',
    'lumenflow_pool_call_duration_seconds_bucket{le="+Inf"} 3',
    'lumenflow_pool_call_duration_seconds_count 3',
  ]) {
    expect(lines).toContain(line);
  }
});
