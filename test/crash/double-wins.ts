import type {Worker} from './start-worker.ts';

/** Of several claims of a task one wins, and one is acknowledged. */
export function doubleWins(workers: readonly Worker[]): readonly string[] {
  const winners = new Map<string, string>();
  return workers.flatMap(({name, reported}) =>
    reported.flatMap((one) => {
      if (one.kind !== 'claimed') return [];
      const other = winners.get(one.task_id);
      winners.set(one.task_id, name);
      return other === undefined ? [] : [`task ${one.task_id} was claimed by ${other} and by ${name}`];
    }),
  );
}
