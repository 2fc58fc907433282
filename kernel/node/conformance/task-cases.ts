// The task store: specs that are written once, and what they are amended to.
import assert from 'node:assert/strict';
import type {TaskSpec} from '@lumenflow/schemas';
import type {StateCase} from './state-case.ts';

const spec: TaskSpec = {
  id: 'task-1',
  lane_id: 'core',
  title: 'status: ok: 1',
  description: '# no comment\n\n- "0x10" \u0000 💡 \u2028\n  ',
  declared_scopes: [{type: 'path', pattern: 'src/**', access: 'write'}],
  blocked_by: ['task-0'],
  metadata: {yes: 'yes', octal: '010', date: '2026-01-02', nothing: null, deep: {list: [1, 1.5, true, '', '~', '- a']}},
};

export const taskCases: readonly StateCase[] = [
  {
    name: 'a task spec is read as it was created, with its hash',
    async run({open}) {
      const [{tasks}, {tasks: others}] = [await open(), await open()];
      const created = await tasks.create(spec);
      assert(created !== 'exists');
      assert.match(created.spec_hash, /^[0-9a-f]{64}$/u);
      assert.deepEqual(await others.read('task-1'), {spec, spec_hash: created.spec_hash});
    },
  },
  {
    name: 'a task that was not created is not found',
    async run({open}) {
      const {tasks} = await open();
      assert.equal(await tasks.read('task-1'), undefined);
    },
  },
  {
    name: 'a task spec is created once, even if two processes try',
    async run({open}) {
      const stores = [(await open()).tasks, (await open()).tasks];
      const attempts = await Promise.all(
        stores.flatMap((store, index) =>
          Array.from({length: 10}, (_, attempt) => store.create({...spec, title: `${index}-${attempt}`})),
        ),
      );
      const created = attempts.filter((outcome) => outcome !== 'exists');
      assert.equal(created.length, 1);
      for (const store of stores) {
        assert.equal((await store.read('task-1'))?.spec_hash, created[0]?.spec_hash);
        assert.equal(await store.create(spec), 'exists');
      }
    },
  },
  {
    name: 'an amended spec is stored beside the first one, each under its hash',
    async run({open}) {
      const [{tasks}, {tasks: others}] = [await open(), await open()];
      const created = await tasks.create(spec);
      assert(created !== 'exists');
      const longer = {...spec, title: 'longer'};
      const {spec_hash} = await tasks.amend(longer);
      assert.deepEqual(await others.amend(longer), {spec_hash});
      const {spec_hash: again} = await tasks.amend(spec);
      assert.deepEqual(await others.read('task-1', spec_hash), {spec: longer, spec_hash});
      assert.deepEqual(await others.read('task-1', again), {spec, spec_hash: again});
      assert.deepEqual(await others.read('task-1'), {spec, spec_hash: created.spec_hash});
      assert.equal(await others.read('task-1', '0'.repeat(64)), undefined);
    },
  },
  {
    name: 'different specs have different hashes',
    async run({open}) {
      const {tasks} = await open();
      const one = await tasks.create({id: 'a', lane_id: 'core'});
      const two = await tasks.create({id: 'b', lane_id: 'core'});
      assert.notDeepEqual(one, two);
    },
  },
];
