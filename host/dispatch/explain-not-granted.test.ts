import type {GrantedScopes} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {explainNotGranted} from './explain-not-granted.ts';

function explain(message: string, network: GrantedScopes['network'], code = 'TOOL_EXECUTION_FAILED') {
  const request = {grant: {whyNot: () => undefined}, scope_enforced: {read: [], write: [], network}};
  const output = {success: false, error: {code, message}} as const;
  return explainNotGranted(output, request as unknown as Parameters<typeof explainNotGranted>[1], '/workspace').error;
}
const off: GrantedScopes['network'] = {posture: 'off', allowlist_entries: []};

test.each([
  'getaddrinfo EAI_AGAIN api.example',
  'fetch failed',
  'fatal: unable to access: Could not resolve host: git.example',
  '[Errno 101] Network is unreachable',
])('%s, because the tool has no network', (message) => {
  expect(explain(message, off)).toMatchObject({
    message: `${message} (this tool has no network)`,
    details: {network: 'this tool has no network'},
  });
  expect(explain(message, off, 'UPSTREAM_FAILED')?.details).toHaveProperty('remedy');
});

test('what was granted is not the reason', () => {
  expect(explain('fetch failed', {posture: 'full', allowlist_entries: []})?.details).toBeUndefined();
  expect(explain('the scales are broken', off)?.details).toBeUndefined();
  expect(explain('fetch failed', off, 'TOOL_TIMEOUT')?.details).toBeUndefined();
  expect(explain('fetch failed', {posture: 'allowlist', allowlist_entries: ['a.example:443']})?.message).toBe(
    'fetch failed (this tool reaches only a.example:443)',
  );
});
