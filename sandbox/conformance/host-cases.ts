// What hosts may rely on: calls beside each other, hosts beside each other, the port itself.
import assert from 'node:assert/strict';
import {setTimeout as delay} from 'node:timers/promises';
import type {BackendCase} from './backend-case.ts';

const callsAtOnce = 32;

export const hostCases: readonly BackendCase[] = [
  {
    name: '32 calls at once have a result each, its own',
    async run({call}) {
      const results = await Promise.all(
        Array.from({length: callsAtOnce}, (_, index) => call('return input;', {input: index, wallMs: 60_000})),
      );
      assert.deepEqual(
        results.map(({output}) => output.data),
        Array.from({length: callsAtOnce}, (_, index) => index),
      );
    },
  },
  {
    name: 'two hosts use the machine side by side, and one that closes ends nothing of the other',
    async run({call, secondHost}) {
      const other = await secondHost();
      const running = call(`await new Promise((done) => setTimeout(done, 700)); return 'first';`);
      assert.deepEqual((await other.call(`return 'second';`)).output, {success: true, data: 'second'});
      await other.executor.close();
      assert.deepEqual((await running).output, {success: true, data: 'first'});
    },
  },
  {
    name: 'reaping ends nothing of a host that lives',
    async run({call, secondHost}) {
      const other = await secondHost();
      const running = call(
        `await new Promise((done) => setTimeout(done, 700)); return fs.readdirSync('/').length > 0;`,
      );
      await delay(350);
      await other.executor.backend.reap();
      assert.deepEqual((await running).output, {success: true, data: true});
    },
  },
  {
    name: 'its probe supports nothing that its capabilities lack',
    async run({executor: {backend}}) {
      const report = await backend.probe();
      assert.ok(report.available);
      assert.deepEqual(
        backend.capabilities.lacks.filter((guarantee) => report.guarantees[guarantee] !== 'unsupported'),
        [],
      );
    },
  },
  {
    name: 'closing ends the calls that run',
    async run({secondHost}) {
      const other = await secondHost();
      const ready = new Promise<void>((resolve) => {
        void other
          .call(`context.progress('up'); for (;;) {}`, {request: {onMessage: () => resolve()}})
          .then(({output}) => (code = output.error?.code));
      });
      let code: string | undefined;
      await ready;
      await other.executor.close();
      await delay(0);
      assert.equal(code, 'TOOL_CANCELLED');
    },
  },
  {
    name: 'a receipt names the backend and how well it enforces',
    async run({call, executor}) {
      const report = await executor.backend.probe();
      assert.ok(report.available);
      assert.equal(report.backend, executor.backend.name);
      const {enforcement} = await call('return 1;');
      assert.equal(enforcement.backend, executor.backend.name);
      assert.equal(enforcement.tier, report.tier);
      assert.equal(enforcement.start, 'cold');
    },
  },
  {
    name: 'a hardened call is run by a backend of that tier, or refused',
    async run({call, executor}) {
      const report = await executor.backend.probe();
      const {output} = await call('return 1;', {request: {securityTier: 'hardened'}});
      const isHardened = report.available && report.tier === 'hardened';
      assert.equal(output.error?.code, isHardened ? undefined : 'SANDBOX_UNAVAILABLE');
    },
  },
];
