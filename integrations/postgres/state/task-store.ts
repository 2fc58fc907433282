// Task specs: each written once, and amended ones beside it, under their hash.
import {KernelError} from '@lumenflow/kernel';
import type {TaskStore} from '@lumenflow/kernel/adapters';
import {parseSpec, sha256Hex, specText} from '@lumenflow/kernel/node';
import type {TaskSpec} from '@lumenflow/schemas';
import type {Database} from '../connection/database.ts';

export function createTaskStore(database: Database): TaskStore {
  const put = async (taskId: string, amendedHash: string, text: string): Promise<boolean> => {
    const [row] = await database.ask<{done: boolean}>({
      text: 'select put_spec($1, $2, $3) as done',
      values: [taskId, amendedHash, text],
    });
    return row?.done === true;
  };
  const read = async (taskId: string, amendedHash = ''): Promise<string | undefined> => {
    const [row] = await database.ask<{text: string}>({
      text: 'select text from specs where task_id = $1 and amended_hash = $2',
      values: [taskId, amendedHash],
    });
    return row?.text;
  };
  return {
    async create(spec) {
      const text = textOf(spec);
      if (await put(spec.id, '', text)) return {spec_hash: sha256Hex(text)};
      return 'exists';
    },
    async amend(spec) {
      const text = textOf(spec);
      const spec_hash = sha256Hex(text);
      await put(spec.id, spec_hash, text);
      return {spec_hash};
    },
    async read(taskId, amendedHash) {
      const text = await read(taskId, amendedHash);
      if (text === undefined) return undefined;
      return {spec: parseSpec(text, `${database.location} task \`${taskId}\``), spec_hash: sha256Hex(text)};
    },
  };
}

function textOf(spec: TaskSpec): string {
  const text = specText(spec);
  if (!text.includes('\u0000')) return text;
  throw new KernelError(
    'LOG_UNAVAILABLE',
    `task \`${spec.id}\` cannot be written: PostgreSQL stores no zero characters`,
  );
}
