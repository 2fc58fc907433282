// How processes end: what a closed state rejects, and what the next process finds.
import assert from 'node:assert/strict';
import {recordsOfCall} from './example-records.ts';
import type {StateCase} from './state-case.ts';

export const closingCases: readonly StateCase[] = [
  {
    name: 'a closed state accepts nothing, and closing it again does nothing',
    async run({openSigned}) {
      const {state, signed} = await openSigned();
      await signed.close();
      await state.close();
      await state.close();
      const closed = {code: 'RUNTIME_CLOSED'};
      await assert.rejects(state.evidence.append(recordsOfCall('r1'), {fsync: false}), closed);
      await assert.rejects(state.contents.put('a'), closed);
      await assert.rejects(state.contents.shred('0'.repeat(64)), closed);
      await assert.rejects(signed.checkpoint(), closed);
    },
  },
  {
    name: 'the next process finds everything that was recorded before a process was killed',
    async run({open, openSigned, kill}) {
      const killed = await open();
      const event = {type: 'task_released', timestamp: '2026-01-02T03:04:05.678Z', actor: 'ann', task_id: 'a'} as const;
      await killed.events.transact(() => ({events: [{...event, reason: 'r'}], result: 0}));
      const {ref} = await killed.contents.put('"kept"');
      await killed.tasks.create({id: 'task-1', lane_id: 'core'});
      const [started, progress] = recordsOfCall('r1');
      await killed.evidence.append([started, progress], {fsync: true});
      kill(killed);
      const {state, signed} = await openSigned();
      assert.equal(state.processes.isAlive(killed.processes.processId), false);
      assert.equal((await state.events.read({})).length, 1);
      assert.equal(await state.contents.get(ref), '"kept"');
      assert.equal((await state.tasks.read('task-1'))?.spec.lane_id, 'core');
      assert.deepEqual(
        (await state.evidence.openCalls()).map(({receipt_id}) => receipt_id),
        ['r1'],
      );
      await signed.checkpoint();
      assert.equal((await signed.verify()).status, 'verified');
    },
  },
];
