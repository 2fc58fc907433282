// What an engine does with signals that are forged, repeated or late, with records that are newer than its own state, and with odd ids.
import assert from 'node:assert/strict';
import type {EngineCase} from './engine-case.ts';
import {until} from './until.ts';

const oddIds: readonly string[] = ['a', 'A', '0', 'a.', 'a..b', 'a-', 'agent:a', 'constructor', 'x'.repeat(128)];
const noIds: readonly string[] = ['', '.', '..', 'a/b', 'a%2Fb', ' a', 'a\n', "a' or '1'='1", 'ä', 'x'.repeat(2 ** 20)];
const oddRequests: readonly string[] = ['__proto__', "it's", 'a"b', 'ä/?#%', 'x'.repeat(1_000)];

export const engineAttackCases: readonly EngineCase[] = [
  {
    name: 'a forged signal approves nothing: the run waits again, and the true answer continues it',
    async run({open, work}) {
      const engine = await open();
      const run = work.add('run-1', [{ask: ['r1']}, {do: 'a'}]);
      await engine.start('run-1');
      await engine.wait('run-1');
      assert.equal(await engine.signal('run-1', ['r1']), true);
      await until(async () => run.attempts === 2 && (await engine.query('run-1'))?.state === 'waiting');
      assert.deepEqual(work.effects, []);
      assert.equal(await engine.signal('run-1', ['constructor', 'toString', '']), false);
      work.answer('r1');
      assert.equal(await engine.signal('run-1', ['r1']), true);
      await until(async () => (await engine.query('run-1')) === undefined);
      assert.deepEqual(work.effects, ['run-1 a']);
    },
  },
  {
    name: 'a signal that comes several times at once continues the run once',
    async run({open, work}) {
      const engine = await open();
      const run = work.add('run-1', [{ask: ['r1']}, {do: 'a'}, {ask: ['r2']}, {do: 'b'}]);
      await engine.start('run-1');
      await engine.wait('run-1');
      work.answer('r1');
      const signals = await Promise.all([1, 2, 3].map(() => engine.signal('run-1', ['r1'])));
      assert.ok(signals.includes(true));
      await until(async () => (await engine.query('run-1'))?.waits_for?.includes('r2') === true);
      assert.equal(await engine.signal('run-1', ['r1']), false);
      assert.deepEqual([run.attempts, run.overlapped, work.effects], [2, false, ['run-1 a']]);
    },
  },
  {
    name: 'a wait after a cancellation ends, a second cancellation changes nothing, and neither continues the run',
    async run({open, work}) {
      const engine = await open();
      work.add('run-1', [{ask: ['r1']}, {do: 'a'}]);
      await engine.start('run-1');
      await engine.wait('run-1');
      await engine.cancel('run-1');
      await engine.cancel('run-1');
      work.answer('r1');
      assert.notEqual((await engine.wait('run-1'))?.state, 'running');
      assert.deepEqual(work.effects, []);
    },
  },
  {
    name: 'an engine whose state is older than the records repeats nothing',
    async run({open, work}) {
      const engine = await open();
      work.add('run-1', [{do: 'a'}, {ask: ['r1']}, {do: 'b'}]);
      await engine.start('run-1');
      await engine.wait('run-1');
      work.answer('r1');
      // As another engine would have done it, or this one before it lost its last hour.
      assert.deepEqual(await work.advance('run-1', new AbortController().signal), {state: 'over'});
      await engine.signal('run-1', ['r1']);
      await engine.start('run-1');
      await until(async () => (await engine.query('run-1')) === undefined);
      assert.deepEqual(work.effects, ['run-1 a', 'run-1 b']);
    },
  },
  {
    name: 'odd ids name different runs, and what is not an id is refused',
    async run({open, work}) {
      const engine = await open();
      for (const id of oddIds) work.add(id, [{do: 'a'}]);
      await Promise.all(oddIds.map((id) => engine.start(id)));
      for (const id of oddIds) assert.equal(await engine.wait(id), undefined);
      assert.deepEqual(work.effects.toSorted(), oddIds.map((id) => `${id} a`).toSorted());
      for (const id of noIds)
        for (const refused of [
          engine.start(id),
          engine.query(id),
          engine.wait(id),
          engine.signal(id, ['r1']),
          engine.cancel(id),
        ])
          await assert.rejects(
            refused,
            (error: Error) => /is not a valid id of a run/u.test(error.message) && error.message.length < 200,
          );
    },
  },
  {
    name: 'a run can wait for requests with odd names',
    async run({open, work}) {
      const engine = await open();
      work.add('run-1', [{ask: oddRequests}, {do: 'a'}]);
      await engine.start('run-1');
      assert.deepEqual((await engine.wait('run-1'))?.waits_for?.toSorted(), oddRequests.toSorted());
      for (const request of oddRequests) work.answer(request);
      assert.equal(await engine.signal('run-1', ['__proto__']), true);
      await until(async () => (await engine.query('run-1')) === undefined);
      assert.deepEqual(work.effects, ['run-1 a']);
    },
  },
];
