// The content store: texts by their SHA-256.
import assert from 'node:assert/strict';
import {sha256Hex} from '../system/sha256.ts';
import type {StateCase} from './state-case.ts';

export const contentCases: readonly StateCase[] = [
  {
    name: 'contents of any size are stored unchanged',
    async run({open}) {
      const [{contents}, {contents: others}] = [await open(), await open()];
      for (const text of ['', '"0x10"', 'a\r\nb\u0000', '💡'.repeat(30_000), 'x'.repeat(300_000)]) {
        const {hash, ref} = await contents.put(text);
        assert.equal(hash, sha256Hex(text));
        assert.equal(await contents.get(ref), text);
        assert.equal((await contents.put(text)).hash, hash);
        assert.equal(await others.get(ref), text);
      }
    },
  },
  {
    name: 'an unknown reference finds no content',
    async run({open}) {
      const {contents} = await open();
      await contents.put('a');
      for (const ref of [`inputs/${'0'.repeat(64)}`, '', '../../etc/passwd', 'inputs/../traces', 'inputs/']) {
        assert.equal(await contents.get(ref), undefined);
      }
    },
  },
  {
    name: 'a shredded content is gone for every process, and storing it again makes another',
    async run({open}) {
      const [{contents}, {contents: others}] = [await open(), await open()];
      const [secret, plain] = [await contents.put('"secret"'), await contents.put('"plain"')];
      assert.deepEqual(await others.shred(secret.hash), [secret.ref]);
      contents.forget([secret.hash]);
      for (const each of [contents, others]) {
        assert.equal(await each.get(secret.ref), undefined);
        assert.equal(await each.get(plain.ref), '"plain"');
      }
      const again = await contents.put('"secret"');
      assert.equal(again.hash, secret.hash);
      assert.notEqual(again.ref, secret.ref);
      assert.equal(await others.get(again.ref), '"secret"');
      assert.equal(await others.get(secret.ref), undefined);
      assert.deepEqual(await contents.shred('0'.repeat(64)), []);
    },
  },
  {
    name: 'many contents are shredded at once, also those that another process remembers',
    async run({open}) {
      const [{contents}, {contents: others}] = [await open(), await open()];
      const texts = ['"a"', '"b"', 'x'.repeat(300_000)];
      const stored = await Promise.all(texts.map((text) => contents.put(text)));
      for (const text of texts) await others.put(text);
      const kept = await others.put('"kept"');
      const hashes = new Set([...stored.map(({hash}) => hash), '0'.repeat(64)]);
      // What is optional for a store is what a kernel then does itself.
      const shredMany = async (): Promise<number> => {
        if (contents.shredUnneeded) return await contents.shredUnneeded(new Set(hashes), async () => undefined);
        const refs = await Promise.all([...hashes].map((hash) => contents.shred(hash)));
        return refs.filter(({length}) => length > 0).length;
      };
      assert.equal(await shredMany(), 3);
      assert.equal(await shredMany(), 0);
      contents.forget([...hashes]);
      others.forgetAll?.();
      for (const each of [contents, others]) {
        for (const {ref} of stored) assert.equal(await each.get(ref), undefined);
        assert.equal(await each.get(kept.ref), '"kept"');
      }
      const again = await Promise.all(texts.map((text) => others.put(text)));
      for (const [at, {hash, ref}] of again.entries()) {
        assert.equal(hash, stored[at]?.hash);
        assert.notEqual(ref, stored[at]?.ref);
        assert.equal(await contents.get(ref), texts[at]);
      }
      // A store that forgot all may store it once more.
      assert.equal(await contents.get((await others.put('"kept"')).ref), '"kept"');
    },
  },
];
