// Makes an application atomic. The next host rolls back an interrupted one by its journal; a single file that is added or
// replaced needs only the rename.
import {dirname, join} from 'node:path';
import type {Change} from './change.ts';
import {endJournal, writeJournal, type JournalSeal} from './journal.ts';
import type {Step} from './step.ts';
import {syncApplied} from './sync-applied.ts';
import {syncPath} from './sync-path.ts';

export interface Commit {
  /** On disk before the first step. */
  begin(): Promise<void>;
  /** Call it after the last step: the result is on disk. */
  sync(): Promise<void>;
  /** From now on either the application counts, or nothing of it remains. */
  end(): Promise<void>;
}

export interface CommitInput {
  readonly root: string;
  /** The transaction's own folder. */
  readonly folder: string;
  readonly seal: JournalSeal;
  readonly steps: readonly Step[];
  readonly changes: readonly Change[];
}

export function commitOf({root, folder, seal, steps, changes}: CommitInput): Commit {
  const single = singleFile(steps, changes);
  if (single === undefined) {
    return {
      begin: async () => await writeJournal(folder, seal, steps),
      sync: async () => await syncApplied({root, folder, steps}),
      end: async () => await endJournal(folder),
    };
  }
  return {
    // After a power cut its name leads to all that it contains, or to what was there before.
    begin: async () => await syncPath(join(folder, 'new', String(single.number))),
    sync: async () => await syncPath(join(root, dirname(single.path))),
    end: async () => undefined,
  };
}

function singleFile(steps: readonly Step[], changes: readonly Change[]): Step | undefined {
  const [step, ...others] = steps;
  if (step?.content === undefined || step.modes !== undefined || others.length > 0) return undefined;
  const before = changes.find(({path}) => path === step.path)?.before;
  return before === undefined || before.kind === 'file' ? step : undefined;
}
