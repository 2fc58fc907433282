// Plans work units in waves. The dependencies of a wave are done in earlier ones, and WIP limits and code paths allow its units
// to run in parallel. Pure and deterministic, so that planning again returns the same waves.
import {compareIds} from '../work-units/compare-ids.ts';
import {chainLengths, longestChain} from './longest-chain.ts';
import {explainLeftOut, explainPostponed} from './wave-deferral.ts';
import type {Obstacle, Wave, WavePlan, WaveQuestion, WaveUnit} from './wave-plan.ts';

export function planWaves(question: WaveQuestion): WavePlan {
  const open = question.units.filter(({status}) => status !== 'done').toSorted((a, b) => compareIds(a.id, b.id));
  const lengths = chainLengths(open);
  const ranked = open
    .filter(({status}) => status === 'ready')
    .toSorted(
      (a, b) =>
        Number(b.is_handed_out) - Number(a.is_handed_out) ||
        a.priority.localeCompare(b.priority) ||
        (lengths.get(b.id) ?? 0) - (lengths.get(a.id) ?? 0),
    );
  const {waves, left, postponed} = placeInWaves(question, ranked);
  const deferred = [...explainPostponed(postponed, waves), ...explainLeftOut(question, left)];
  return {
    waves,
    deferred: deferred.toSorted((a, b) => compareIds(a.wu, b.wu)),
    critical_path: longestChain(open, lengths),
  };
}

interface Placed {
  readonly waves: readonly Wave[];
  readonly left: readonly WaveUnit[];
  /** What kept a unit out of the earliest wave that its dependencies allow. */
  readonly postponed: ReadonlyMap<string, Obstacle>;
}

function placeInWaves({units, beside, done: doneElsewhere, limits}: WaveQuestion, ranked: readonly WaveUnit[]): Placed {
  const busy = [...units, ...beside].filter(({status}) => status === 'in_progress' || status === 'blocked');
  const own = new Set(units.map(({id}) => id));
  const done = new Set([...doneElsewhere, ...units.filter(({status}) => status === 'done').map(({id}) => id)]);
  const waves: Wave[] = [];
  const postponed = new Map<string, Obstacle>();
  let left = ranked;
  for (let wave = 1; ; wave++) {
    // Active work is assumed to be done with the first wave. For blocked work, there is no such assumption.
    const running = busy.filter(({status}) => status === 'blocked' || wave === 1);
    const underway = running.filter(({id, status}) => status === 'in_progress' && own.has(id));
    const begun: WaveUnit[] = [];
    for (const unit of left) {
      if (!unit.depends_on.every((id) => done.has(id))) continue;
      const obstacle = obstacleTo(unit, [...running, ...begun], limits);
      if (obstacle === undefined) begun.push(unit);
      else if (!postponed.has(unit.id)) postponed.set(unit.id, obstacle);
    }
    const wus = [...underway, ...begun].map(({id}) => id);
    if (wus.length > 0) waves.push({wave, wus});
    else if (wave > 1) return {waves, left, postponed};
    for (const id of wus) done.add(id);
    left = left.filter(({id}) => !done.has(id));
  }
}

function obstacleTo(
  {lane, overlaps}: WaveUnit,
  running: readonly WaveUnit[],
  limits: WaveQuestion['limits'],
): Obstacle | undefined {
  const limit = limits.get(lane) ?? Infinity;
  if (running.filter((other) => other.lane === lane).length >= limit) return {reason: 'lane_wip', lane, limit};
  const meets = running.map(({id}) => id).filter((id) => overlaps.includes(id));
  return meets.length === 0 ? undefined : {reason: 'overlap', with: meets};
}
