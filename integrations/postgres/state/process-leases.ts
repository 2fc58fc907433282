// The hosts that share the database. Each keeps a lease. One whose lease is over has ended for all others, and the database refuses its
// appends from then on, so that no call gets two outcomes.
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import {createProcessRegistry} from '@lumenflow/kernel/node';
import type {Database} from '../connection/database.ts';

export interface ProcessLeasesOptions {
  readonly database: Database;
  /** How long a host may be unseen; default 10,000 ms. It reports three times in this time. */
  readonly leaseMs?: number | undefined;
  readonly onWarning: (message: string) => void;
  /** This process, and what can be seen of others on its machine. */
  readonly local?: ProcessRegistry | undefined;
}

export interface ProcessLeases extends ProcessRegistry {
  close(): Promise<void>;
}

export async function openProcessLeases({
  database,
  leaseMs = 10_000,
  onWarning,
  local = createProcessRegistry(),
}: ProcessLeasesOptions): Promise<ProcessLeases> {
  const {processId} = local;
  /** Of other machines: whether they had ended when the database was last asked. */
  const ended = new Map<string, boolean>();
  const listeners = new Set<() => Promise<void>>();
  let lastEnd: unknown;
  let isEnded = false;
  await database.ask({text: 'select start_process($1)', values: [processId]});
  await learn();

  /** Returns whether another process has ended since. */
  async function learn(): Promise<boolean> {
    const rows = await database.ask<{id: string}>({
      text: "select keep_lease($1, $2 * interval '1 millisecond', $3) as id",
      values: [processId, leaseMs, [processId, ...ended.keys()]],
    });
    if (!isEnded && rows.some(({id}) => id === processId)) {
      isEnded = true;
      onWarning('this host was not seen for longer than its lease, so it can record nothing more: restart it');
    }
    const newlyEnded = rows.filter(({id}) => ended.get(id) === false);
    for (const {id} of newlyEnded) ended.set(id, true);
    const [row] = await database.ask<{last: string | null}>({text: 'select last_end() as last'});
    const before = lastEnd;
    lastEnd = row?.last;
    return newlyEnded.length > 0 || before !== lastEnd;
  }

  /** Listeners may ask about processes that were not known, so the database is asked about these, too. */
  async function learnAndReport(): Promise<void> {
    for (let known = -1; (await learn()) && known < ended.size;) {
      known = ended.size;
      for (const listener of listeners) await listener();
    }
  }

  let learning: Promise<void> | undefined;
  const timer = setInterval(() => {
    learning ??= learnAndReport()
      .catch((error: unknown) => onWarning(`the lease of this host could not be extended: ${String(error)}`))
      .finally(() => (learning = undefined));
  }, leaseMs / 3);
  timer.unref();
  return {
    processId,
    isAlive(id) {
      // What runs here can be seen at once.
      if (machineOf(id) === machineOf(processId)) return local.isAlive(id);
      if (!ended.has(id)) ended.set(id, false);
      return ended.get(id) !== true;
    },
    onEnded(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      clearInterval(timer);
      await learning;
      await database.ask({text: 'select end_process($1)', values: [processId]});
    },
  };
}

/** The boot and the process namespace that a process id begins with. */
function machineOf(processId: string): string {
  return processId.split('.', 2).join('.');
}
