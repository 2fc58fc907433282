// Task specs in memory, as the texts of files.
import type {TaskStore} from '@lumenflow/kernel/adapters';
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
    async amend(spec) {
      const text = JSON.stringify(spec);
      const spec_hash = sha256Hex(text);
      texts.set(`${spec.id}@${spec_hash}`, text);
      return {spec_hash};
    },
    async read(taskId, amendedHash) {
      const text = texts.get(amendedHash === undefined ? taskId : `${taskId}@${amendedHash}`);
      return text === undefined ? undefined : {spec: JSON.parse(text) as TaskSpec, spec_hash: sha256Hex(text)};
    },
  };
}
