// What every task store keeps to, in memory or on disk.
import type {TaskStore} from '@lumenflow/kernel/adapters';
import type {TaskSpec} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {OpenAdapters} from './open-adapters.ts';

const spec: TaskSpec = {
  id: 'task-1',
  lane_id: 'core',
  title: 'status: ok: 1',
  description: '# no comment\n\n- "0x10" \u0000 💡 \u2028\n  ',
  declared_scopes: [{type: 'path', pattern: 'src/**', access: 'write'}],
  blocked_by: ['task-0'],
  metadata: {yes: 'yes', octal: '010', date: '2026-01-02', nothing: null, deep: {list: [1, 1.5, true, '', '~', '- a']}},
};

export function runTaskStoreConformance({name, create}: OpenAdapters<TaskStore>): void {
  describe(`task store ${name}`, () => {
    let store: ReturnType<typeof create>;
    let tasks: TaskStore;
    beforeEach(async () => {
      store = create();
      tasks = await store.open();
    });
    afterEach(() => store.remove());

    test('returns what was created, with the hash it was created with', async () => {
      const created = await tasks.create(spec);
      expect(created).toEqual({spec_hash: expect.stringMatching(/^[0-9a-f]{64}$/u)});
      const other = await store.open();
      expect(await other.read('task-1')).toEqual({spec, spec_hash: created === 'exists' ? '' : created.spec_hash});
    });

    test('knows no task that was not created', async () => {
      expect(await tasks.read('task-1')).toBeUndefined();
    });

    test('writes a task once, whichever client tries', async () => {
      const stores = [tasks, await store.open()];
      const attempts = await Promise.all(
        stores.flatMap((each, index) =>
          Array.from({length: 10}, (_, attempt) => each.create({...spec, title: `${index}-${attempt}`})),
        ),
      );
      const won = attempts.filter((outcome) => outcome !== 'exists');
      expect(won).toHaveLength(1);
      expect((await tasks.read('task-1'))?.spec_hash).toBe(won[0]?.spec_hash);
      expect(await tasks.create(spec)).toBe('exists');
    });

    test('keeps what a spec is amended to beside the first one, each under its hash', async () => {
      const created = await tasks.create(spec);
      const longer = {...spec, title: 'longer'};
      const {spec_hash} = await tasks.amend(longer);
      expect(await (await store.open()).amend(longer)).toEqual({spec_hash});
      const {spec_hash: again} = await tasks.amend(spec);
      const other = await store.open();
      expect(await other.read('task-1', spec_hash)).toEqual({spec: longer, spec_hash});
      expect(await other.read('task-1', again)).toEqual({spec, spec_hash: again});
      expect(await other.read('task-1')).toEqual({spec, ...(created === 'exists' ? {} : created)});
      expect(await other.read('task-1', '0'.repeat(64))).toBeUndefined();
    });

    test('different specs have different hashes', async () => {
      const one = await tasks.create({id: 'a', lane_id: 'core'});
      const two = await tasks.create({id: 'b', lane_id: 'core'});
      expect(one).not.toEqual(two);
    });
  });
}
