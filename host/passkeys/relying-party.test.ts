import {expect, test} from 'vitest';
import {relyingPartyOf} from './relying-party.ts';

const approvals = (url: string): object => ({approvals: {url}});
const sign_in = (url: string): object => ({sign_in: {url}});

test.each([
  ['localhost, by its own address', {}, 'localhost:8787', 'localhost', 'http://localhost:8787'],
  [
    'the address of workspace.yaml',
    approvals('https://flow.example'),
    '127.0.0.1:1',
    'flow.example',
    'https://flow.example',
  ],
  ['a port', approvals('https://flow.example:8443'), 'x', 'flow.example', 'https://flow.example:8443'],
  [
    'the address of sign-ins first',
    {...approvals('https://a.example'), ...sign_in('https://b.example')},
    'x',
    'b.example',
    'https://b.example',
  ],
  ['a name in capitals', approvals('https://FLOW.example'), 'x', 'flow.example', 'https://flow.example'],
  ['a name below localhost', approvals('http://flow.localhost:80'), 'x', 'flow.localhost', 'http://flow.localhost'],
])('passkeys work at %s', (...[, spec, host, rp_id, origin]) => {
  expect(relyingPartyOf(spec, host)).toEqual({ok: true, value: {rp_id, origin}});
});

test.each([
  ['127.0.0.1:8787', {}, 'open http://localhost:8787 instead'],
  ['[::1]:8787', {}, 'open http://localhost:8787 instead'],
  ['flow.example', {}, 'add it to workspace.yaml as `approvals.url`'],
  ['192.0.2.1:8787', {}, 'add it to workspace.yaml as `approvals.url`'],
  ['no host', {}, 'open http://localhost instead'],
  ['localhost:1', approvals('https://192.0.2.1'), 'change `approvals.url` of workspace.yaml'],
  ['localhost:1', approvals('http://flow.example'), 'change `approvals.url` of workspace.yaml'],
  ['localhost:1', sign_in('http://127.0.0.1:8787'), 'change `sign_in.url` of workspace.yaml'],
])('at %s with %j there are none', (host, spec, what) => {
  expect(relyingPartyOf(spec, host)).toEqual({ok: false, problem: expect.stringContaining(what)});
});
