// What is reported where no container can be started.
import type {ProxmoxLxcOptions} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {createProxmoxLxcBackend} from './create-proxmox-lxc-backend.ts';
import {readinessOf} from '../doctor/readiness.ts';

const options: ProxmoxLxcOptions = {
  url: 'https://127.0.0.1:1',
  certificate: `${'AB:'.repeat(31)}AB`,
  token: 'PROXMOX_TOKEN',
  node: 'pve1',
  pool: 'lumenflow',
  template: 9000,
  worker_key: 'template+0a1b2c3d+AYPAqhFtqyB3jPsCNPUnGdyWkjlmkk7PCBUGp0pX0qaa',
};

function connect(): never {
  throw new Error('nothing was started');
}

test.each([
  ['nothing is configured', undefined, 'secret', /is not configured/],
  ['the token is missing', options, undefined, /`PROXMOX_TOKEN` with the API token/],
  ['no server answers', options, 'secret', /did not accept the request \(`connect ECONNREFUSED/],
])('contract only, where %s', async (_, given, token, message) => {
  const backend = createProxmoxLxcBackend({options: given, secret: () => token, connect});
  const report = await backend.probe();
  expect(report).toMatchObject({available: false, problem: {message: expect.stringMatching(message) as string}});
  expect(readinessOf(report)).toBe('contract only');
  await backend.reap();
  await backend.close();
});

test('a report never contains the token', async () => {
  const backend = createProxmoxLxcBackend({options, secret: () => 'a@pve!b=very-secret', connect});
  expect(JSON.stringify(await backend.probe())).not.toContain('very-secret');
});
