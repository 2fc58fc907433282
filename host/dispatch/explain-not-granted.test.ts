import type {GrantedScopes} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {explainNotGranted} from './explain-not-granted.ts';

function explain(message: string, network: GrantedScopes['network'], code = 'TOOL_EXECUTION_FAILED', details = {}) {
  const request = {grant: {whyNot: () => undefined}, scope_enforced: {read: [], write: [], network}};
  const output = {success: false, error: {code, message, details}} as const;
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

test('a program that opens a Unix socket', () => {
  const stderr = 'Error: listen EAFNOSUPPORT: address family not supported /tmp/tsx-0/28.pipe';
  const full: GrantedScopes['network'] = {posture: 'full', allowlist_entries: []};
  expect(explain('`main` failed: it ended with status 1', full, 'CLI_FAILED', {stderr})).toMatchObject({
    message: '`main` failed: it ended with status 1 (the sandbox has no Unix sockets)',
    details: {stderr, remedy: expect.stringContaining('tsx')},
  });
});

test('what was granted is not the reason', () => {
  expect(explain('fetch failed', {posture: 'full', allowlist_entries: []})?.details).toEqual({});
  expect(explain('the scales are broken', off)?.details).toEqual({});
  expect(explain('fetch failed', off, 'TOOL_TIMEOUT')?.details).toEqual({});
  expect(explain('fetch failed', {posture: 'allowlist', allowlist_entries: ['a.example:443']})?.message).toBe(
    'fetch failed (this tool reaches only a.example:443)',
  );
});
