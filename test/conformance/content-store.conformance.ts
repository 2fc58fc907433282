// What every content store guarantees: texts by their hash.
import type {ContentStore} from '@lumenflow/kernel/adapters';
import {sha256Hex} from '@lumenflow/kernel/node';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {OpenAdapters} from './open-adapters.ts';

export function runContentStoreConformance({name, create}: OpenAdapters<ContentStore>): void {
  describe(`content store ${name}`, () => {
    let store: ReturnType<typeof create>;
    let contents: ContentStore;
    beforeEach(async () => {
      store = create();
      contents = await store.open();
    });
    afterEach(() => store.remove());

    test.each(['', '"0x10"', 'a\r\nb\u0000', '💡'.repeat(30_000), 'x'.repeat(300_000)])(
      'keeps a blob as it is (%#)',
      async (text) => {
        const {hash, ref} = await contents.put(text);
        expect(hash).toBe(sha256Hex(text));
        expect(await contents.get(ref)).toBe(text);
        expect((await contents.put(text)).hash).toBe(hash);
        expect(await (await store.open()).get(ref)).toBe(text);
      },
    );

    test('returns no blob that was not put, whatever the reference is', async () => {
      await contents.put('a');
      for (const ref of [`inputs/${'0'.repeat(64)}`, '', '../../etc/passwd', 'inputs/../traces', 'inputs/']) {
        expect(await contents.get(ref)).toBeUndefined();
      }
    });

    test('a content that is shredded is gone, also when it is put again, which makes another', async () => {
      const [secret, plain] = [await contents.put('"secret"'), await contents.put('"plain"')];
      const other = await store.open();
      expect(await other.shred(secret.hash)).toEqual([secret.ref]);
      contents.forget([secret.hash]);
      for (const each of [contents, other]) {
        expect(await each.get(secret.ref)).toBeUndefined();
        expect(await each.get(plain.ref)).toBe('"plain"');
      }
      const again = await contents.put('"secret"');
      expect(again.hash).toBe(secret.hash);
      expect(again.ref).not.toBe(secret.ref);
      expect(await other.get(again.ref)).toBe('"secret"');
      expect(await other.get(secret.ref)).toBeUndefined();
      expect(await contents.shred('0'.repeat(64))).toEqual([]);
    });
  });
}
