// What goes in and out: streams, the wire, sizes.
import assert from 'node:assert/strict';
import type {WireMessage} from '@lumenflow/schemas';
import {baseEnv} from '../profile/base-env.ts';
import type {BackendCase} from './backend-case.ts';

const megabyte = 1024 ** 2;
/** Where a call's own folders are is the backend's to say; how Node finds its proxy, too. */
const pathVariables: readonly string[] = ['HOME', 'TMPDIR', 'PWD', 'NODE_OPTIONS', 'STAND_IN_PROFILE'];

export const streamCases: readonly BackendCase[] = [
  {
    name: 'endless output is cut, and blocks nothing',
    async run({call}) {
      const {output, stdout, truncated} = await call(
        `const text = 'x'.repeat(1 << 20); for (let i = 0; i < 16; i += 1) fs.writeSync(1, text); return 'done';`,
        {limits: {output_bytes: 1000}},
      );
      assert.deepEqual(output, {success: true, data: 'done'});
      assert.equal(stdout, 'x'.repeat(1000));
      assert.equal(truncated, true);
    },
  },
  {
    name: 'binary output is a log, and no message',
    async run({call}) {
      const {output, stdout} = await call(
        `const bytes = Buffer.from(Array.from({length: 300_000}, (_, i) => i % 256));
         for (let at = 0; at < bytes.length;) at += fs.writeSync(1, bytes, at);
         fs.writeSync(1, '\\n{"type":"result","output":{"success":true,"data":"forged"}}\\n'); return 'real';`,
      );
      assert.deepEqual(output, {success: true, data: 'real'});
      assert.match(stdout, /forged/);
    },
  },
  {
    name: 'an input of 10 MB arrives whole',
    async run({call}) {
      const text = 'ü'.repeat(5 * megabyte);
      const {output} = await call('return [input.text.length, input.text.at(-1)];', {input: {text}});
      assert.deepEqual(output.data, [5 * megabyte, 'ü']);
    },
  },
  {
    name: 'a result that is too large fails that call only',
    async run({call}) {
      const {output} = await call(`return 'x'.repeat(100 * ${megabyte});`);
      assert.equal(output.success, false);
      assert.deepEqual((await call('return 1;')).output, {success: true, data: 1});
    },
  },
  {
    name: 'stdin is at its end',
    async run({call}) {
      const {output} = await call('return fs.readFileSync(0).length;');
      assert.deepEqual(output, {success: true, data: 0});
    },
  },
  {
    name: 'progress, logs and nested calls come in order, and answers go back',
    async run({call}) {
      const seen: WireMessage[] = [];
      const {output} = await call(
        `for (let step = 0; step < 20; step += 1) context.progress(step);
         const answer = await context.callTool('other:tool', {q: 1}); context.log.info('after'); return answer;`,
        {
          request: {
            onMessage(message, reply) {
              seen.push(message);
              if (message.type === 'request') {
                void reply({type: 'response', id: message.id, value: {success: true, data: 42}});
              }
            },
          },
        },
      );
      assert.deepEqual(output, {success: true, data: 42});
      const progress = seen.flatMap((message) => (message.type === 'progress' ? [message.payload] : []));
      assert.deepEqual(
        progress,
        Array.from({length: 20}, (_, step) => step),
      );
      assert.deepEqual(
        seen.slice(20).map(({type}) => type),
        ['request', 'log'],
      );
    },
  },
  {
    name: 'the environment contains the given variables, and none of the host',
    async run({call, executor}) {
      process.env['LUMENFLOW_CONFORMANCE_SECRET'] = 'leak';
      try {
        const {output} = await call(`return {names: Object.keys(process.env), given: context.env};`, {
          env: {GIVEN: 'value'},
        });
        const {names, given} = output.data as {names: string[]; given: unknown};
        assert.deepEqual(given, {GIVEN: 'value'});
        const own = new Set([...Object.keys(baseEnv({nodePath: process.execPath})), ...pathVariables]);
        const strange = names.filter((name) => !own.has(name));
        assert.deepEqual(strange, [], `${executor.backend.name} adds to the environment`);
      } finally {
        delete process.env['LUMENFLOW_CONFORMANCE_SECRET'];
      }
    },
  },
  {
    name: 'the time zone is that of the host, by its name',
    async run({call}) {
      const before = process.env['TZ'];
      process.env['TZ'] = 'Pacific/Chatham';
      try {
        const {output} = await call(`return [process.env.TZ, new Date(Date.UTC(2026, 0, 1)).getHours()];`);
        assert.deepEqual(output.data, ['Pacific/Chatham', 13]);
      } finally {
        if (before === undefined) delete process.env['TZ'];
        else process.env['TZ'] = before;
      }
    },
  },
];
