// How an engine advances runs: one attempt at a time for each, to the end, through answers and failures.
import assert from 'node:assert/strict';
import type {EngineCase} from './engine-case.ts';
import {until} from './until.ts';

export const engineRunCases: readonly EngineCase[] = [
  {
    name: 'a run is advanced to its end, and then the engine has nothing left to do for it',
    async run({open, work}) {
      const engine = await open();
      work.add('run-1', [{do: 'a'}, {do: 'b'}]);
      assert.equal(await engine.start('run-1'), true);
      assert.equal(await engine.wait('run-1'), undefined);
      assert.deepEqual(work.effects, ['run-1 a', 'run-1 b']);
      assert.equal(await engine.query('run-1'), undefined);
    },
  },
  {
    name: 'starting a run again changes nothing, and only one attempt at a time is under way',
    async run({open, work}) {
      const engine = await open();
      const run = work.add('run-1', [{hold: true}, {do: 'a'}]);
      const started = await Promise.all([1, 2, 3].map(() => engine.start('run-1')));
      assert.ok(started.includes(true));
      await until(() => work.underWay === 1);
      assert.equal((await engine.query('run-1'))?.state, 'running');
      assert.equal(await engine.start('run-1'), false);
      work.letGo();
      assert.equal(await engine.wait('run-1'), undefined);
      assert.equal(run.overlapped, false);
      assert.deepEqual(work.effects, ['run-1 a']);
    },
  },
  {
    name: 'different runs are advanced at the same time',
    async run({open, work}) {
      const engine = await open();
      const ids = ['run-1', 'run-2', 'a.b_c-3'];
      for (const id of ids) work.add(id, [{hold: true}]);
      for (const id of ids) await engine.start(id);
      await until(() => work.underWay === 3);
      work.letGo();
      for (const id of ids) assert.equal(await engine.wait(id), undefined);
    },
  },
  {
    name: 'a waiting run is advanced once its requests are answered, and by nothing else',
    async run({open, work}) {
      const engine = await open();
      const run = work.add('run-1', [{do: 'a'}, {ask: ['r1', 'r2']}, {do: 'b'}, {ask: ['r3']}]);
      assert.equal(await engine.signal('run-1', ['r1']), false);
      await engine.start('run-1');
      assert.deepEqual(await engine.wait('run-1'), {state: 'waiting', waits_for: ['r1', 'r2']});
      assert.equal(await engine.signal('run-1', ['r0']), false);
      assert.equal(await engine.signal('run-1', []), false);
      assert.equal(await engine.start('run-1'), false);
      assert.equal(run.attempts, 1);
      work.answer('r1');
      work.answer('r2');
      assert.equal(await engine.signal('run-1', ['r1', 'r2', 'r0']), true);
      await until(async () => (await engine.query('run-1'))?.waits_for?.includes('r3') === true);
      work.answer('r3');
      assert.equal(await engine.signal('run-1', ['r3']), true);
      await until(async () => (await engine.query('run-1')) === undefined);
      assert.deepEqual(work.effects, ['run-1 a', 'run-1 b']);
      assert.equal(await engine.signal('run-1', ['r3']), false);
    },
  },
  {
    name: 'an attempt that failed is repeated, and what it had done before is not',
    async run({open, work}) {
      const engine = await open();
      const run = work.add('run-1', [{do: 'a'}, {fail: 2}, {do: 'b'}]);
      await engine.start('run-1');
      assert.equal(await engine.wait('run-1'), undefined);
      assert.deepEqual(work.effects, ['run-1 a', 'run-1 b']);
      assert.equal(run.attempts, 3);
    },
  },
  {
    name: 'a run that fails each time is parked with the reason, and started again by `start`',
    async run({open, work}) {
      const engine = await open();
      const run = work.add('run-1', [{do: 'a'}, {fail: 5}, {do: 'b'}]);
      await engine.start('run-1');
      const parked = await engine.wait('run-1');
      assert.equal(parked?.state, 'parked');
      assert.match(parked.reason ?? '', /run-1 is broken/u);
      const {attempts} = run;
      assert.ok(attempts <= 5, `${attempts} attempts`);
      assert.equal(await engine.signal('run-1', ['r1']), false);
      for (let starts = 0; starts < 5 && (await engine.query('run-1')) !== undefined; starts += 1) {
        assert.equal(await engine.start('run-1'), true);
        await engine.wait('run-1');
      }
      assert.deepEqual(work.effects, ['run-1 a', 'run-1 b']);
    },
  },
  {
    name: 'a run that is refused is parked after one attempt, and started again by `start`',
    async run({open, work}) {
      const engine = await open();
      const run = work.add('run-1', [{do: 'a'}, {refuse: 1}, {do: 'b'}]);
      await engine.start('run-1');
      const parked = await engine.wait('run-1');
      assert.equal(parked?.state, 'parked');
      assert.match(parked.reason ?? '', /run-1 is refused/u);
      assert.equal(run.attempts, 1);
      assert.equal(await engine.start('run-1'), true);
      assert.equal(await engine.wait('run-1'), undefined);
      assert.deepEqual(work.effects, ['run-1 a', 'run-1 b']);
    },
  },
  {
    name: 'a run that something prevents is tried until that has passed, and is not parked',
    async run({open, work}) {
      const engine = await open();
      const run = work.add('run-1', [{later: 7}, {do: 'a'}]);
      await engine.start('run-1');
      assert.equal(await engine.wait('run-1'), undefined);
      assert.equal(run.attempts, 8);
      assert.deepEqual(work.effects, ['run-1 a']);
    },
  },
];
