// The suite for every archive: a folder, a bucket.
import assert from 'node:assert/strict';
import type {ArchiveStore} from '../archive/archive-store.ts';

export interface ArchiveStage {
  /** Opens the same archive, empty at the start of each case. */
  open(): Promise<ArchiveStore> | ArchiveStore;
}

export interface ArchiveCase {
  readonly name: string;
  /** Rejects with an AssertionError. */
  run(stage: ArchiveStage): Promise<void>;
}

export const archiveCases: readonly ArchiveCase[] = [
  {
    name: 'objects of any size are stored unchanged, for every process',
    async run({open}) {
      const [one, other] = [await open(), await open()];
      for (const bytes of [Buffer.alloc(0), Buffer.from([0, 255, 10, 13]), Buffer.alloc(3_000_000, 'x')]) {
        await one.put(`contents/${bytes.length}`, bytes);
        assert.deepEqual(await other.get(`contents/${bytes.length}`), bytes);
      }
    },
  },
  {
    name: 'an object is never overwritten',
    async run({open}) {
      const archive = await open();
      await archive.put('traces/a-1.jsonl', Buffer.from('first'));
      await archive.put('traces/a-1.jsonl', Buffer.from('second'));
      assert.equal((await archive.get('traces/a-1.jsonl'))?.toString(), 'first');
    },
  },
  {
    name: 'of several processes that store one object, all succeed',
    async run({open}) {
      const archives = await Promise.all(Array.from({length: 4}, async () => await open()));
      await Promise.all(archives.map((archive) => archive.put('contents/a', Buffer.from('same'))));
      assert.equal((await archives[0]?.get('contents/a'))?.toString(), 'same');
    },
  },
  {
    name: 'a missing object is undefined, and its deletion does nothing',
    async run({open}) {
      const archive = await open();
      assert.equal(await archive.get('traces/none'), undefined);
      await archive.delete('traces/none');
      assert.deepEqual(await archive.list(''), []);
    },
  },
  {
    name: 'keys are listed by their prefix, in order',
    async run({open}) {
      const archive = await open();
      for (const key of ['traces/2', 'traces/1', 'contents/a', 'traces/3', 'trace']) {
        await archive.put(key, Buffer.from(key));
      }
      assert.deepEqual(await archive.list('traces/'), ['traces/1', 'traces/2', 'traces/3']);
      assert.deepEqual(await archive.list('trace'), ['trace', 'traces/1', 'traces/2', 'traces/3']);
      await archive.delete('traces/2');
      assert.equal(await archive.get('traces/2'), undefined);
      assert.deepEqual(await archive.list('traces/'), ['traces/1', 'traces/3']);
    },
  },
];
