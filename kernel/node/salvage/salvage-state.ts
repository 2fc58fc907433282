// Makes a state on files open again after its logs were damaged. Nothing is destroyed: what cannot remain is put aside first, with its
// hashes, and the salvage itself becomes an event.
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import type {ArchiveStore} from '../archive/archive-store.ts';
import type {LogName} from '../log/log-name.ts';
import {WorkspaceLock} from '../lock/workspace-lock.ts';
import {completeSalvage, type BeforeStep} from './complete-salvage.ts';
import {findDamage, type LogDamage} from './find-damage.ts';
import {logFilesOf} from './log-files.ts';
import {mustHaveNotes} from './restore-notes.ts';
import {putAside, readSalvages, type Salvage, type SalvageOrder} from './put-aside.ts';

export interface SalvageOptions {
  /** Absolute path of `.lumenflow/kernel`. */
  readonly stateFolder: string;
  readonly processes: ProcessRegistry;
  readonly order: SalvageOrder;
  /** Needed if lines of the logs are archived. */
  readonly archive?: ArchiveStore | undefined;
  readonly beforeStep?: BeforeStep;
}

/** The events first: they record the salvage of the other log. */
const logs: readonly LogName[] = ['events', 'traces'];

/** What is wrong with the logs, without changing anything. Rejects as `salvageState` does, without a lock. */
export async function damageOf(
  stateFolder: string,
  archive?: ArchiveStore,
): Promise<readonly {readonly log: LogName; readonly damage: LogDamage}[]> {
  const found: {readonly log: LogName; readonly damage: LogDamage}[] = [];
  await mustHaveNotes({stateFolder, archive});
  for (const log of logs) {
    const damage = await findDamage(logFilesOf(stateFolder, log), archive);
    if (damage !== undefined) found.push({log, damage});
  }
  return found;
}

/**
 * Returns what was salvaged now, at most one for each log. Also completes a salvage that a crash ended. Rejects with KernelError: LOCK_UNAVAILABLE,
 * LOG_UNAVAILABLE without the archive of archived lines, LOG_CORRUPT if these are damaged or `restoreNotes` must
 * write their notes first.
 */
export async function salvageState({
  stateFolder,
  processes,
  order,
  archive,
  beforeStep,
}: SalvageOptions): Promise<readonly Salvage[]> {
  const lock = new WorkspaceLock({folder: join(stateFolder, 'lock'), processes});
  await lock.enter();
  try {
    mkdirSync(join(stateFolder, 'events'), {recursive: true, mode: 0o700});
    const salvaged: Salvage[] = [];
    await mustHaveNotes({stateFolder, archive});
    for (const log of logs) {
      for (const earlier of readSalvages(stateFolder)) {
        if (earlier.manifest.log === log) await completeSalvage({stateFolder, archive, beforeStep}, earlier);
      }
      const damage = await findDamage(logFilesOf(stateFolder, log), archive);
      if (damage === undefined) continue;
      beforeStep?.();
      const salvage = await putAside({stateFolder, archive}, {log, damage, order});
      await completeSalvage({stateFolder, archive, beforeStep}, salvage);
      salvaged.push(salvage);
    }
    return salvaged;
  } finally {
    lock.leave();
    lock.close();
  }
}
