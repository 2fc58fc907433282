// A program for tests: a host whose call in a container of Proxmox VE never returns.
import {createPrivateKey} from 'node:crypto';
import type {ProxmoxLxcOptions} from '@lumenflow/schemas';
import {ok} from '../../outcome.ts';
import {createBench} from '../sandbox-bench.fixture.ts';

export interface LoopingHost {
  readonly options: ProxmoxLxcOptions;
  readonly token: string;
  readonly key: {readonly id: string; readonly pem: string};
}

const {options, token, key} = JSON.parse(process.argv[2] ?? '') as LoopingHost;
const bench = await createBench({
  backend: 'proxmox-lxc',
  secret: () => token,
  workerKey: async () => ok({id: key.id, privateKey: createPrivateKey(key.pem)}),
});
await bench.call('for (;;) {}', {wallMs: 600_000, request: {backendOptions: {'proxmox-lxc': options}}});
