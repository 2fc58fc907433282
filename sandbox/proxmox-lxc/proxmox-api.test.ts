// Requests to a server over TLS: nothing is sent to another server, and a failure is reported as the server words it.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {emptyEngine} from '../testing/proxmox/container-engine.fixture.ts';
import {ownCertificate} from '../testing/own-certificate.fixture.ts';
import {createProxmoxStandIn} from '../testing/proxmox/proxmox-stand-in.fixture.ts';
import {serveProxmox, type ServedProxmox} from '../testing/proxmox/serve-proxmox.fixture.ts';
import {createProxmoxApi, type ProxmoxApi} from './proxmox-api.ts';

const standIn = createProxmoxStandIn(emptyEngine());
const folder = mkdtempSync(join(tmpdir(), 'lumenflow-proxmox-'));
let served: ServedProxmox;
beforeAll(async () => {
  served = await serveProxmox(standIn);
});
afterAll(async () => {
  await served.close();
  rmSync(folder, {recursive: true});
});

const version = {method: 'GET', path: '/version'} as const;
const apiWith = (certificate: string, token = served.token): ProxmoxApi =>
  createProxmoxApi({url: served.url, certificate, token});

function pemFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('reaches the server whose fingerprint or authority is known', async () => {
  const data = {version: '8.4.1', release: '8.4'};
  expect(await apiWith(served.fingerprint)(version)).toEqual({ok: true, value: data});
  expect(await apiWith(pemFile('own.pem', served.authority))(version)).toEqual({ok: true, value: data});
});

test('sends nothing to a server with another certificate', async () => {
  const before = standIn.asked.length;
  const other = await ownCertificate('127.0.0.1');
  for (const certificate of [other.fingerprint, pemFile('other.pem', other.cert)]) {
    expect(await apiWith(certificate)(version)).toMatchObject({ok: false, problem: {kind: 'unreachable'}});
  }
  expect(standIn.asked.length).toBe(before);
});

test('reports a wrong token, and wrong parameters by name', async () => {
  expect(await apiWith(served.fingerprint, 'a@pve!b=c')(version)).toMatchObject({problem: {kind: 'denied'}});
  standIn.fail({of: /PUT/, status: 400, message: 'Parameter verification failed.', errors: {memory: 'too large'}});
  const change = {method: 'PUT', path: '/nodes/pve1/lxc/100/config', parameters: {memory: 1}} as const;
  const message = 'Parameter verification failed.; memory: too large';
  expect(await apiWith(served.fingerprint)(change)).toEqual({ok: false, problem: {kind: 'other', message}});
});

test('reports a server that ends the connection, does not exist, or is none of Proxmox VE', async () => {
  standIn.fail({of: /version/, isDropped: true});
  expect(await apiWith(served.fingerprint)(version)).toMatchObject({problem: {kind: 'unreachable'}});
  const absent = createProxmoxApi({url: 'https://127.0.0.1:1', certificate: served.fingerprint, token: ''});
  expect(await absent(version)).toMatchObject({problem: {kind: 'unreachable'}});
  expect(await apiWith(served.fingerprint)({method: 'GET', path: '/other'})).toMatchObject({ok: false});
});
