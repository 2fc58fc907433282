import {expect, it} from 'vitest';
import {createHostNetwork} from './create-host-network.ts';

const addresses: Readonly<Record<string, readonly string[]>> = {
  'api.example': ['203.0.113.9'],
  'public.example': ['3fff::9'],
  'inside.example': ['10.1.2.3'],
  'local.example': ['127.0.0.1'],
};
const open = (...allowlist_entries: string[]): ReturnType<typeof createHostNetwork> =>
  createHostNetwork({posture: 'allowlist', allowlist_entries}, async (name) => addresses[name] ?? []);

it('allows listed hosts at their port, and reports each attempt', async () => {
  const network = open('public.example:443', '127.0.0.1:80');
  expect(await network.resolve('PUBLIC.example', 443)).toEqual({ok: true, value: ['3fff::9']});
  expect(await network.resolve('127.0.0.1', 80)).toEqual({ok: true, value: ['127.0.0.1']});
  expect((await network.resolve('public.example', 80)).ok).toBe(false);
  expect((await network.resolve('other.example', 443)).ok).toBe(false);
  const {connections, denials} = network.report();
  expect(connections).toContainEqual(expect.objectContaining({destination: 'public.example:443', allowed: true}));
  expect(denials).toEqual([
    'network public.example:80: no entry of the allowlist allows it',
    'network other.example:443: no entry of the allowlist allows it',
  ]);
});

it('refuses names that lead to private addresses, unless an entry lists the address', async () => {
  expect((await open('inside.example:443').resolve('inside.example', 443)).ok).toBe(false);
  expect((await open('local.example:443').resolve('local.example', 443)).ok).toBe(false);
  const declared = open('inside.example:443', '10.1.0.0/16:443');
  expect(await declared.resolve('inside.example', 443)).toEqual({ok: true, value: ['10.1.2.3']});
});

it('reads an address in every form', async () => {
  const network = open('127.0.0.1:80', '[::1]:80');
  for (const host of ['[::1]', '::1', '::ffff:127.0.0.1']) expect((await network.resolve(host, 80)).ok).toBe(true);
  for (const host of ['2130706433', '0x7f.1', '127.1']) expect((await network.resolve(host, 80)).ok).toBe(false);
});

it('allows nothing without an allowlist', async () => {
  for (const posture of ['off', 'full'] as const) {
    const network = createHostNetwork({posture, allowlist_entries: []}, async () => ['3fff::9']);
    expect((await network.resolve('public.example', 443)).ok).toBe(false);
  }
});
