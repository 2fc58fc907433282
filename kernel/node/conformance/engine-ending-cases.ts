// How an engine ends its work: by a cancellation, by a wait that is given up, and by closing.
import assert from 'node:assert/strict';
import type {EngineCase} from './engine-case.ts';
import {until} from './until.ts';

export const engineEndingCases: readonly EngineCase[] = [
  {
    name: 'a run that was never started is unknown',
    async run({open}) {
      const engine = await open();
      assert.equal(await engine.query('run-1'), undefined);
      assert.equal(await engine.wait('run-1'), undefined);
      assert.equal(await engine.signal('run-1', ['r1']), false);
      await engine.cancel('run-1');
    },
  },
  {
    name: 'a waiting run that is cancelled is not advanced any more',
    async run({open, work}) {
      const engine = await open();
      const run = work.add('run-1', [{ask: ['r1']}, {do: 'a'}]);
      await engine.start('run-1');
      await engine.wait('run-1');
      await engine.cancel('run-1');
      assert.notEqual((await engine.query('run-1'))?.state, 'running');
      assert.equal(run.attempts, 1);
      assert.deepEqual(work.effects, []);
    },
  },
  {
    name: 'a cancellation aborts the attempt that is under way, and no other run',
    async run({open, work}) {
      const engine = await open();
      const [run, other] = ['run-1', 'run-2'].map((id) => work.add(id, [{hold: true}, {do: 'a'}]));
      await engine.start('run-1');
      await engine.start('run-2');
      await until(() => work.underWay === 2);
      await engine.cancel('run-1');
      await until(() => work.underWay === 1);
      await until(async () => (await engine.query('run-1')) === undefined);
      assert.deepEqual([run?.aborted, other?.aborted], [1, 0]);
      work.letGo();
      assert.equal(await engine.wait('run-2'), undefined);
      assert.deepEqual(work.effects, ['run-2 a']);
    },
  },
  {
    name: 'a parked run that is cancelled is not parked any more, and `start` tries it again',
    async run({open, work}) {
      const engine = await open();
      const run = work.add('run-1', [{do: 'a'}, {refuse: 1}, {do: 'b'}]);
      const other = work.add('run-2', [{refuse: 1}]);
      for (const id of ['run-1', 'run-2']) {
        await engine.start(id);
        const parked = await engine.wait(id);
        assert.equal(parked?.state, 'parked');
        assert.equal(new Date(parked.since ?? '').toISOString(), parked.since);
      }
      await engine.cancel('run-1');
      assert.equal(await engine.query('run-1'), undefined);
      assert.equal(await engine.wait('run-1'), undefined);
      await engine.cancel('run-1');
      assert.equal((await engine.query('run-2'))?.state, 'parked');
      assert.deepEqual([run.attempts, other.attempts, work.effects], [1, 1, ['run-1 a']]);
      assert.equal(await engine.start('run-1'), true);
      assert.equal(await engine.wait('run-1'), undefined);
      assert.deepEqual(work.effects, ['run-1 a', 'run-1 b']);
    },
  },
  {
    name: 'a wait ends early by its signal, and the run continues',
    async run({open, work}) {
      const engine = await open();
      work.add('run-1', [{hold: true}, {do: 'a'}]);
      await engine.start('run-1');
      await until(() => work.underWay === 1);
      const stop = new AbortController();
      const waiting = engine.wait('run-1', stop.signal);
      stop.abort(new Error('enough'));
      await assert.rejects(waiting, /enough/u);
      work.letGo();
      assert.equal(await engine.wait('run-1'), undefined);
      assert.deepEqual(work.effects, ['run-1 a']);
    },
  },
  {
    name: 'a run that waits survives the end of all processes',
    async run({open, close, work}) {
      const first = await open();
      work.add('run-1', [{do: 'a'}, {ask: ['r1']}, {do: 'b'}]);
      await first.start('run-1');
      await first.wait('run-1');
      await close(first);
      work.answer('r1');
      const second = await open();
      await until(async () => await second.signal('run-1', ['r1']));
      await until(async () => (await second.query('run-1')) === undefined);
      assert.deepEqual(work.effects, ['run-1 a', 'run-1 b']);
    },
  },
];
