// Explains to people why a work unit is in a later wave than its dependencies require, or in none.
import {compareIds} from '../work-units/compare-ids.ts';
import type {Deferral, Obstacle, Wave, WaveQuestion, WaveUnit} from './wave-plan.ts';

/** Units in a later wave. */
export function explainPostponed(
  postponed: ReadonlyMap<string, Obstacle>,
  waves: readonly Wave[],
): readonly Deferral[] {
  return waves.flatMap(({wave, wus}) =>
    wus.flatMap((wu) => {
      const obstacle = postponed.get(wu);
      return obstacle === undefined ? [] : [{...explain(wu, obstacle), wave}];
    }),
  );
}

/** Units in no wave: `left` and blocked ones. */
export function explainLeftOut(
  {units, beside, done, limits}: WaveQuestion,
  left: readonly WaveUnit[],
): readonly Deferral[] {
  const blocked = [...units, ...beside].filter(({status}) => status === 'blocked');
  const stuck = new Set([...left, ...blocked].map(({id}) => id));
  const known = new Set([...done, ...units.map(({id}) => id)]);
  return [
    ...units
      .filter(({status}) => status === 'blocked')
      .map(({id}) => ({wu: id, reason: 'blocked' as const, message: 'it is blocked'})),
    ...left.map(({id, lane, depends_on: dependencies, overlaps}): Deferral => {
      const waitsFor = dependencies.filter((dependency) => stuck.has(dependency) || !known.has(dependency));
      if (waitsFor.length > 0) {
        return {
          wu: id,
          reason: 'dependency',
          message: `the completion of ${list(waitsFor)} cannot be planned`,
          waits_for: waitsFor,
        };
      }
      const meets = blocked.filter((other) => overlaps.includes(other.id)).map((other) => other.id);
      const holders = blocked.filter((other) => other.lane === lane).map((other) => other.id);
      return meets.length > 0
        ? explain(id, {reason: 'overlap', with: meets})
        : {
            ...explain(id, {reason: 'lane_wip', lane, limit: limits.get(lane) ?? 0}),
            waits_for: holders.toSorted(compareIds),
          };
    }),
  ];
}

function explain(wu: string, obstacle: Obstacle): Deferral {
  if (obstacle.reason === 'overlap') {
    const others = obstacle.with.toSorted(compareIds);
    return {wu, reason: 'overlap', message: `it may change the same files as ${list(others)}`, waits_for: others};
  }
  const {lane, limit} = obstacle;
  return {wu, reason: 'lane_wip', message: `the lane \`${lane}\` has a limit of ${limit}, and other work comes first`};
}

function list(ids: readonly string[]): string {
  return ids.map((id) => `\`${id}\``).join(', ');
}
