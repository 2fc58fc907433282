// Task specs in memory, as the texts that files would hold.
import type {TaskStore} from '@lumenflow/kernel';
import {sha256Hex} from '@lumenflow/kernel/node';
import type {TaskSpec} from '@lumenflow/schemas';

export function createMemoryTaskStore(texts: Map<string, string>): TaskStore {
  return {
    async create(spec) {
      if (texts.has(spec.id)) return 'exists';
      const text = JSON.stringify(spec);
      texts.set(spec.id, text);
      return {spec_hash: sha256Hex(text)};
    },
    async read(taskId) {
      const text = texts.get(taskId);
      return text === undefined ? undefined : {spec: JSON.parse(text) as TaskSpec, spec_hash: sha256Hex(text)};
    },
  };
}
