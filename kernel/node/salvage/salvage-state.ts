// Makes a state on files open again after its logs were damaged. Nothing is destroyed: what cannot remain is put aside first, with its
// hashes, and the salvage itself becomes an event.
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import type {LogName} from '../log/log-name.ts';
import {WorkspaceLock} from '../lock/workspace-lock.ts';
import {completeSalvage, type BeforeStep} from './complete-salvage.ts';
import {findDamage, type LogDamage} from './find-damage.ts';
import {logFilesOf} from './log-files.ts';
import {putAside, readSalvages, type Salvage, type SalvageOrder} from './put-aside.ts';

export interface SalvageOptions {
  /** Absolute path of `.lumenflow/kernel`. */
  readonly stateFolder: string;
  readonly processes: ProcessRegistry;
  readonly order: SalvageOrder;
  readonly beforeStep?: BeforeStep;
}

/** The events first: they record the salvage of the other log. */
const logs: readonly LogName[] = ['events', 'traces'];

/** What is wrong with the logs, without changing anything. */
export function damageOf(stateFolder: string): readonly {readonly log: LogName; readonly damage: LogDamage}[] {
  return logs.flatMap((log) => {
    const damage = findDamage(logFilesOf(stateFolder, log));
    return damage === undefined ? [] : [{log, damage}];
  });
}

/** Returns what was salvaged now, at most one for each log. Also completes a salvage that a crash ended. Rejects with KernelError LOCK_UNAVAILABLE. */
export async function salvageState({
  stateFolder,
  processes,
  order,
  beforeStep,
}: SalvageOptions): Promise<readonly Salvage[]> {
  const lock = new WorkspaceLock({folder: join(stateFolder, 'lock'), processes});
  await lock.enter();
  try {
    mkdirSync(join(stateFolder, 'events'), {recursive: true, mode: 0o700});
    const salvaged: Salvage[] = [];
    for (const log of logs) {
      for (const earlier of readSalvages(stateFolder)) {
        if (earlier.manifest.log === log) completeSalvage(stateFolder, earlier, beforeStep);
      }
      const damage = findDamage(logFilesOf(stateFolder, log));
      if (damage === undefined) continue;
      beforeStep?.();
      const salvage = putAside(stateFolder, log, damage, order);
      completeSalvage(stateFolder, salvage, beforeStep);
      salvaged.push(salvage);
    }
    return salvaged;
  } finally {
    lock.leave();
    lock.close();
  }
}
