// A file of results, one in each line as JSON: what a run that was ended has found is not lost.
import {appendFileSync, existsSync, readFileSync} from 'node:fs';
import type {SandboxBackendName} from '@lumenflow/schemas';
import type {AttackResult} from './make-attacks.ts';

export interface ResultFile {
  /** What earlier runs found on this backend. An attack that they could not make is not known. */
  readonly known: readonly AttackResult[];
  add(result: AttackResult): void;
}

export function openResultFile(path: string, backend: SandboxBackendName): ResultFile {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  const all = lines.map((line) => JSON.parse(line) as AttackResult & {readonly backend: SandboxBackendName});
  return {
    known: all.filter((one) => one.backend === backend && !['not_tried', 'no_machine'].includes(one.status)),
    add(result) {
      appendFileSync(path, `${JSON.stringify({backend, ...result})}\n`);
    },
  };
}
