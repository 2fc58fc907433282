// Contents in memory, by their hash.
import {KernelError} from '@lumenflow/kernel';
import type {ContentStore} from '@lumenflow/kernel/adapters';
import {sha256Hex} from '@lumenflow/kernel/node';

/** What all processes of one workspace share. */
export interface MemoryContents {
  /** By ref. */
  readonly texts: Map<string, string>;
  /** How often a content was shredded, by its hash. */
  readonly shredded: Map<string, number>;
}

export function createMemoryContentStore({texts, shredded}: MemoryContents): ContentStore {
  return {
    async put(text) {
      const hash = sha256Hex(text);
      const times = shredded.get(hash);
      const ref = `inputs/${hash}${times === undefined ? '' : `-${times}`}`;
      texts.set(ref, Buffer.from(text).toString());
      return {hash, ref};
    },
    async get(ref) {
      const text = texts.get(ref);
      if (text !== undefined && !ref.startsWith(`inputs/${sha256Hex(text)}`))
        throw new KernelError('LOG_CORRUPT', `the content \`${ref}\` is not what was recorded`);
      return text;
    },
    async shred(hash) {
      const refs = [...texts].flatMap(([ref, text]) => (sha256Hex(text) === hash ? [ref] : []));
      for (const ref of refs) texts.delete(ref);
      shredded.set(hash, (shredded.get(hash) ?? 0) + 1);
      return refs;
    },
    // No ref is cached: each is made when its content is put.
    forget: () => undefined,
  };
}
